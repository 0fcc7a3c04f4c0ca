import { dirname, join, normalize } from 'node:path/posix';

/** What a text can point at: files and folders by their paths in the repository, and the headings of each page. */
export interface Tree {
  /** Every file and folder, with `/` between the parts. */
  readonly paths: ReadonlySet<string>;
  /** Anchors of each Markdown page by its path. */
  readonly anchors: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of the npm scripts. */
  readonly scripts: ReadonlySet<string>;
  /** What any program exports. */
  readonly exports: ReadonlySet<string>;
}

/** A text of the repository, and where it stands. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

const URLS = /\b[a-z]+:\/\/[^\s)>\]'"`]+/g;
const LINK = /\]\(([^)\s]+)\)/g;
// Not behind another part of a path: `data/shared/src/main` is a place in somebody else's repository.
const OWN_PATH = /(?<![\w./-])(?:src|test|docs|bin)\/[\w./-]*(?:#[\w-]+)?/g;
/** Files in a shell example are the reader's. */
const SHELL_EXAMPLE = /^```sh[\s\S]*?^```/gm;
/** A file named without its folder. */
const BARE_NAME = /(?<![\w./-])[\w-]+\.(?:ts|mts|mjs|md)\b/g;
const SCRIPT = /\bnpm run ([\w:-]+)/g;
const SYMBOL = /\{@link (\w+)/g;
const EXPORT = /^export (?:abstract )?(?:async )?(?:class|const|function\*?|interface|type) (\w+)/gm;
const COMMENT = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ .*$/gm;

/** The anchors of a Markdown page, as GitHub makes them of its headings. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const prose = page.replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => slug(heading));
  return new Set(headings.map((name, index) => numbered(name, headings.slice(0, index))));
}

function slug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function numbered(name: string, before: readonly string[]): string {
  const times = before.filter((each) => each === name).length;
  return times === 0 ? name : `${name}-${times}`;
}

/** What a program exports. */
export function exportsOf(text: string): string[] {
  return [...text.matchAll(EXPORT)].map(([, name = '']) => name);
}

/** What a page points at and is not there: links, paths of this repository and npm scripts. */
export function deadPointersOfPage({ path, text }: Source, tree: Tree): string[] {
  const links = [...text.matchAll(LINK)].map(([, target = '']) => target);
  const own = links.filter((target) => !/^[a-z]+:/.test(target));
  const dead = own.filter((target) => !exists(fromPage(path, target), tree));
  // What a link leads to is looked for from the page, and all else from the root.
  return [...dead, ...deadInProse(text.replace(LINK, ']'), tree)].map((target) => `${path} → ${target}`);
}

/** What the comments of a program point at and is not there: paths, npm scripts and `{@link}` symbols. */
export function deadPointersOfCode({ path, text }: Source, tree: Tree): string[] {
  const comments = [...text.matchAll(COMMENT)].map(([comment]) => comment).join('\n');
  const code = text.replace(COMMENT, '');
  const symbols = [...comments.matchAll(SYMBOL)].map(([, symbol = '']) => symbol);
  const isHere = (symbol: string) => new RegExp(`\\b${symbol}\\b`).test(code);
  const dead = symbols.filter((symbol) => !isHere(symbol) && !tree.exports.has(symbol));
  return [...dead, ...deadInProse(comments, tree)].map((target) => `${path} → ${target}`);
}

function deadInProse(text: string, tree: Tree): string[] {
  const prose = text.replace(URLS, '');
  const paths = [...prose.matchAll(OWN_PATH)].map(([found]) => found.replace(/[./]+$/, ''));
  const names = [...prose.replace(SHELL_EXAMPLE, '').matchAll(BARE_NAME)].map(([name]) => name);
  const scripts = [...prose.matchAll(SCRIPT)].map(([, name = '']) => name);
  return [
    ...paths.filter((target) => !exists(target, tree) && !isForeign(target, tree)),
    ...names.filter((name) => ![...tree.paths].some((path) => path === name || path.endsWith(`/${name}`))),
    ...scripts.filter((name) => !tree.scripts.has(name)).map((name) => `npm run ${name}`),
  ];
}

function fromPage(page: string, target: string): string {
  return target.startsWith('#') ? `${page}${target}` : normalize(join(dirname(page), target));
}

function exists(target: string, { paths, anchors }: Tree): boolean {
  const [path = '', anchor] = target.split('#');
  return (
    paths.has(path.replace(/\/$/, '')) && (anchor === undefined || anchors.get(path)?.has(anchor) === true)
  );
}

/** A file of a kind that this repository has none of, as `src/base58.ml`, is somebody else's. */
function isForeign(target: string, { paths }: Tree): boolean {
  const kind = /\.\w+$/.exec(target)?.[0];
  return kind !== undefined && ![...paths].some((path) => path.endsWith(kind));
}
