import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { openInput, readInput } from '../../src/terminal/input.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { runHere } from '../helpers/run-here.ts';

async function pipe(): Promise<string> {
  const path = join(await temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

describe('a named pipe', () => {
  it('is read to its end, in pieces', async () => {
    const path = await pipe();
    const io = { stdin: new PassThrough(), signal: new AbortController().signal };
    const read = readInput(path, io);
    const writer = createWriteStream(path);
    writer.write('one ');
    await new Promise((resolve) => setTimeout(resolve, 20));
    writer.end('two');
    expect(await read).toBe('one two');
  });

  it('has a limit', async () => {
    const path = await pipe();
    const io = { stdin: new PassThrough(), signal: new AbortController().signal };
    const read = readInput(path, io, 10);
    createWriteStream(path).end('more than ten');
    await expect(read).rejects.toThrow(`${path} holds more than 10 bytes.`);
  });

  it.each([
    ['batch', '<pipe>', '--dry-run'],
    ['history', 'import', '<pipe>'],
    ['reconcile', '<pipe>'],
    ['sandbox', 'learn', '<pipe>'],
    ['sandbox', 'start', '--port', '0', '--overlay', '<pipe>'],
    ['sandbox', 'start', '--port', '0', '--catalog', '<pipe>'],
    ['sandbox', 'fault', 'add', 'all', '--body', '<pipe>'],
    ['api', 'create-transaction', '--yes', '--input', '<pipe>'],
  ])('that no one writes to is left at the first Ctrl-C by %s %s', async (...args) => {
    const path = await pipe();
    const stopped = new AbortController();
    const run = runHere(
      args.map((arg) => (arg === '<pipe>' ? path : arg)),
      { home: await temporaryFolder(), signal: stopped.signal },
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    stopped.abort(new InterruptedError('SIGINT'));
    expect((await run).error).toBe(stopped.signal.reason);
  });
});

it('a file that is given up half-way can be closed', async () => {
  const io = { stdin: new PassThrough(), signal: new AbortController().signal };
  const input = openInput('/dev/zero', io);
  for await (const chunk of input.bytes) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  input.close();
});
