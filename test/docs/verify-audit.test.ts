import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  ChainVerifier,
  exportLine,
  hashOf,
  headText,
  readHead,
  readLine,
} from '../../src/core/ledger/policy/chain.ts';
import { temporaryFolder } from '../helpers/home.ts';

const SCRIPT = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'verify_audit.py');

/** The lines of an exported audit chain. */
function chainOf(count: number): string[] {
  const lines: string[] = [];
  let previous = '0'.repeat(64);
  for (let n = 1; n <= count; n += 1) {
    const data = { reason: `ümläut "}" ${n}`, hash: 'f'.repeat(64) };
    const body = JSON.stringify({
      n,
      at: 'now',
      actor: 'a',
      profile: 'p',
      account: 'x',
      type: 't',
      data,
      previous,
    });
    previous = hashOf(body);
    lines.push(exportLine(body, previous));
  }
  return lines;
}

function headOf(lines: readonly string[]): string {
  return headText({ n: lines.length, hash: readLine(lines.at(-1) ?? '')?.hash ?? '' });
}

const CHAIN = chainOf(6);
const HEAD = headOf(CHAIN);
const without = (index: number) => CHAIN.filter((_, at) => at !== index);
const swapped = [...CHAIN.slice(0, 2), CHAIN[3] ?? '', CHAIN[2] ?? '', ...CHAIN.slice(4)];
const rewritten = chainOf(6).map((line, at) =>
  at < 3 ? line : (CHAIN[at] ?? '').replace('"actor":"a"', '"actor":"b"'),
);

it('verify_audit.py has at most 60 lines and uses only the standard library', () => {
  const text = readFileSync(SCRIPT, 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  expect([...text.matchAll(/^(?:import|from) (\w+)/gm)].map(([, name]) => name)).toEqual([
    'hashlib',
    'json',
    're',
    'sys',
  ]);
});

it.each<[string, readonly string[], string | null, boolean]>([
  ['the whole chain', CHAIN, HEAD, true],
  ['the whole chain without a head', CHAIN, null, true],
  ['a chain longer than the head', CHAIN, headOf(CHAIN.slice(0, 3)), true],
  ['a changed link', CHAIN.map((line, at) => (at === 2 ? line.replace('"t"', '"u"') : line)), null, false],
  ['a dropped link', without(2), null, false],
  ['a dropped first link', without(0), null, false],
  ['an inserted link', [...CHAIN.slice(0, 3), CHAIN[1] ?? '', ...CHAIN.slice(3)], null, false],
  ['swapped links', swapped, null, false],
  ['a line that is not a link', [...CHAIN.slice(0, 3), '{}', ...CHAIN.slice(3)], null, false],
  ['a rewritten tail', rewritten, null, false],
  ['a cut tail', CHAIN.slice(0, 4), HEAD, false],
  ['another chain of the same length', chainOf(6).map((line) => line.replace('"p"', '"q"')), HEAD, false],
])('verify_audit.py and swapctl have the same verdict on %s', async (_, lines, head, isWhole) => {
  const file = join(await temporaryFolder(), 'audit.jsonl');
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  const code = await new Promise<number>((resolve) => {
    execFile('python3', [SCRIPT, file, ...(head === null ? [] : [head])], (error) =>
      resolve(error === null ? 0 : Number.parseInt(String(error.code), 10)),
    );
  });
  expect(code).toBe(isWhole ? 0 : 1);
  const verifier = new ChainVerifier(head === null ? null : readHead(head));
  for (const line of lines) verifier.add(readLine(line));
  expect(verifier.end().problems.length === 0).toBe(isWhole);
});

it('verify_audit.py and swapctl report only the line with a dropped link before it', async () => {
  const file = join(await temporaryFolder(), 'audit.jsonl');
  writeFileSync(
    file,
    without(2)
      .map((line) => `${line}\n`)
      .join(''),
  );
  const output = await new Promise<string>((resolve) => {
    execFile('python3', [SCRIPT, file, HEAD], (_error, stdout) => resolve(stdout));
  });
  expect(output).toBe(
    `5 links, head ${HEAD}\nline 3: has the number 4, not 3\nline 3: does not follow the line before it\n`,
  );
  const verifier = new ChainVerifier(readHead(HEAD));
  for (const line of without(2)) verifier.add(readLine(line));
  expect(verifier.end()).toEqual({
    links: 5,
    head: readHead(HEAD),
    problems: [
      { n: 3, problem: 'Link 3 is expected here: links were removed, inserted or reordered.' },
      { n: 3, problem: 'It does not follow the link before it.' },
    ],
  });
});
