import { execFileSync } from 'node:child_process';
import { createWriteStream, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runProgram, startProgram } from '../../helpers/program.ts';
import { ADDRESSES } from '../../helpers/swap-service.ts';

// Not in this process: Node closes a descriptor that a socket took over a second time when a thread of vitest's ends.
describe.skipIf(process.platform !== 'linux')('a named pipe', () => {
  const pipeIn = (home: string) => {
    const path = join(home, 'pipe');
    execFileSync('mkfifo', [path]);
    return path;
  };

  it('is read like a file', async () => {
    const home = await temporaryFolder();
    const path = pipeIn(home);
    const run = runProgram(['batch', path, '--dry-run', '--json'], { home });
    const writer = createWriteStream(path);
    writer.write('from,to,amount,');
    await pause(50);
    writer.end(`address\nBTC,ETH,0.1,${ADDRESSES.eth}\n`);
    expect((await run).json()).toMatchObject({ rows: 1, toCreate: 1 });
  });

  it('without a writer can be interrupted by the first Ctrl-C', async () => {
    const home = await temporaryFolder();
    const path = pipeIn(home);
    const commands = [
      ['batch', path, '--dry-run'],
      ['history', 'import', path],
      ['sandbox', 'start', '--port', '0', '--overlay', path],
    ];
    const codes: (number | null)[] = [];
    for (const args of commands) {
      const { child, ended } = startProgram(args, { home });
      for (let tries = 0; tries < 200 && !holds(child.pid, path); tries += 1) await pause(20);
      child.kill('SIGINT');
      codes.push((await ended).code);
    }
    expect(codes).toEqual(commands.map(() => 130));
  });
});

/** Whether a process has a file open. */
function holds(pid: number | undefined, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((name) => {
    try {
      return readlinkSync(join(folder, name)) === path;
    } catch {
      // Closed by now.
      return false;
    }
  });
}
