import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Source, Tree } from './helpers/pointers.ts';
import { anchorsOf, deadPointersOfCode, deadPointersOfPage, exportsOf } from './helpers/pointers.ts';

const ROOT = join(import.meta.dirname, '..');
const CODE = /\.(?:ts|mts|mjs|js)$/;

/** `path` and, if it is a folder, every file and folder in it. */
function below(path: string): string[] {
  if (!existsSync(join(ROOT, path))) return [];
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  const inside = readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' });
  return [path, ...inside.map((name) => `${path}/${name.split(sep).join('/')}`)].filter(
    (name) => !name.includes('/node_modules'),
  );
}

const sourceOf = (path: string): Source => ({ path, text: readFileSync(join(ROOT, path), 'utf8') });
const TOP = readdirSync(ROOT).filter((name) => CODE.test(name) || name.endsWith('.md'));
const PATHS = [...TOP, ...['src', 'test', 'docs', 'bin', 'build', '.github'].flatMap(below)];
// The changelog may name files that have since been renamed.
const PAGES = PATHS.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md').map(sourceOf);
const PROGRAMS = PATHS.filter((path) => CODE.test(path)).map(sourceOf);

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
const TREE: Tree = {
  paths: new Set(PATHS),
  anchors: new Map(PAGES.map(({ path, text }) => [path, anchorsOf(text)])),
  scripts: new Set(Object.keys(scripts)),
  exports: new Set(PROGRAMS.flatMap(({ text }) => exportsOf(text))),
};

describe('the target of every reference', () => {
  it('exists for links, anchors, paths and npm scripts in README and docs', () => {
    expect(PAGES.length).toBeGreaterThan(1);
    expect(PAGES.flatMap((page) => deadPointersOfPage(page, TREE))).toEqual([]);
  });

  it('exists for pages, paths, npm scripts and symbols in the comments of every program', () => {
    expect(PROGRAMS.length).toBeGreaterThan(300);
    expect(PROGRAMS.flatMap((program) => deadPointersOfCode(program, TREE))).toEqual([]);
  });

  it('is reported if it does not exist', () => {
    const page = '[a](b.md) [c](#none) [d](https://x.y/src/z) `src/gone.ts` https://x.y/src/z npm run gone';
    expect(deadPointersOfPage({ path: 'docs/p.md', text: page }, TREE)).toEqual(
      ['b.md', '#none', 'src/gone.ts', 'npm run gone'].map((target) => `docs/p.md → ${target}`),
    );
    const good =
      '[a](partner-api.md#limits) [b](../README.md) src/base/errors.ts test/helpers/ npm run build';
    expect(deadPointersOfPage({ path: 'docs/p.md', text: good }, TREE)).toEqual([]);
    const code =
      "// {@link Gone} and {@link here}, docs/p.md#none, gone.ts, src/a.ml\nconst here = 'src/gone.ts';";
    expect(deadPointersOfCode({ path: 'src/p.ts', text: code }, TREE)).toEqual(
      ['Gone', 'docs/p.md#none', 'gone.ts'].map((target) => `src/p.ts → ${target}`),
    );
    expect([...anchorsOf('# A `b`, c/d\n```\n# no\n```\n## e\n## e')]).toEqual(['a-b-cd', 'e', 'e-1']);
  });
});

/** An installation by a public name, which anyone may register; a file such as ./swapctl-0.1.0.tgz is allowed. */
const PUBLIC_NAME =
  /\b(?:npm|pnpm|yarn|bun)\s+(?:[\w-]+\s+)*?(?:i|in|install|add|exec|dlx|x|create|update|global)\s(?:\S+\s+)*?@?swapctl(?![\w./*-])|\b(?:npx|bunx)\s+(?:-\S+\s+)*swapctl\b/;

describe('an installation of swapctl by a public name', () => {
  const inClone = (line: string) => line.includes('npm ci && npm run build && npx swapctl ');

  it('is not in the source, pages, man page, containers or workflows', () => {
    const texts = [
      'README.md',
      'CHANGELOG.md',
      'package.json',
      ...['src', 'docs', 'bin', 'build', '.github'].flatMap(below),
    ];
    const lines = texts
      .filter((path) => statSync(join(ROOT, path)).isFile())
      .flatMap((path) =>
        readFileSync(join(ROOT, path), 'utf8')
          .split('\n')
          .map((line) => `${path}: ${line}`),
      );
    expect(lines.filter((line) => PUBLIC_NAME.test(line) && !inClone(line))).toEqual([]);
  });

  it.each([
    'npm install --global --include=optional swapctl',
    'npm i -g swapctl@1',
    'npx -y swapctl quote',
    'pnpm dlx swapctl',
    'yarn global add swapctl',
  ])('is found in %s', (line) => expect(line).toMatch(PUBLIC_NAME));
});
