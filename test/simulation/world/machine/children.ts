import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { CREATE, QUOTE, type Scene } from './scene.ts';

/** What the command of `--exec` got. */
const GOT = 'got.txt';
const SECRET_FILE = 'only-for-swapctl';
const listen = (command: string) => ['listen', '--once', '--exec', command];

/** Programs that swapctl starts. */
export const CHILDREN: readonly Scene[] = [
  {
    what: 'a command of --exec',
    env: (home) => {
      home.write(SECRET_FILE, home.account.credentials.secret);
      return {
        SWAPCTL_PUBLIC_KEY: '{key}',
        SWAPCTL_SECRET_FILE: `{home}/${SECRET_FILE}`,
        SWAPCTL_BASE_URL: '{url}',
        SWAPCTL_LEDGER: 'postgres://me:the-word@db.example.com/swaps',
        PGPASSWORD: 'another-word',
      };
    },
    first: [listen('true'), CREATE],
    args: listen(`umask 077; { export -p; cat; } > '{home}/${GOT}'`),
    exitCode: 0,
    secrets: [SECRET_FILE, 'the-word', 'another-word'],
    mistake: (home) =>
      /SWAPCTL_EVENT_ID=['"]?(evt_\w+).*\n\{"id":"\1"/s.test(home.state(GOT))
        ? null
        : `it gets ${home.state(GOT)}`,
  },
  // Elsewhere the terminal ends the processes of a command.
  ...(process.platform === 'linux' ? [leftBehind()] : []),
];

/** The secret command prints too much, and has started a process that does not end when it is asked to. */
function leftBehind(): Scene {
  let [door, alive] = [0, 0];
  return {
    what: 'a process of a secret command that is stopped',
    env: () => ({
      SWAPCTL_PUBLIC_KEY: '{key}',
      SWAPCTL_SECRET_COMMAND:
        "cd '{home}'; sh -c 'exec 3>alive; trap \"\" TERM; printf %9000s; read go <door; echo left >&3'; true",
      SWAPCTL_BASE_URL: '{url}',
    }),
    change: (home) => {
      for (const name of ['door', 'alive']) execFileSync('mkfifo', ['-m', '600', home.at(name)]);
      alive = openSync(home.at('alive'), constants.O_RDONLY | constants.O_NONBLOCK);
      door = openSync(home.at('door'), constants.O_RDWR);
      home.closers.push(() => closeSync(door));
    },
    args: QUOTE,
    exitCode: 4,
    prints: /printed more than 8192 bytes/,
    isSilent: true,
    mistake: async () => {
      writeSync(door, 'go\n');
      let said = '';
      for await (const part of new Socket({ fd: alive })) said += part;
      return said === '' ? null : 'it goes on';
    },
  };
}
