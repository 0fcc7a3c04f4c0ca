import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { countOf, execute } from './ledgers.ts';
import { CREATE, QUOTE, type Scene } from './scene.ts';

/** What the command of `--exec` got. */
const GOT = 'got.txt';
const SECRET_FILE = 'only-for-swapctl';
const listen = (command: string) => ['listen', '--once', '--exec', command];

/** How long delivered events are kept, the age of one in days, and how many of it are left. */
const KEPT_DAYS: readonly (readonly [kept: string | null, days: number, left: number])[] = [
  [null, 91, 0],
  [null, 89, 1],
  ['365d', 91, 1],
];

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
  {
    what: 'a command of --exec for one of two orders',
    first: [listen('true'), CREATE, CREATE],
    args: [...listen(`umask 077; cat >> '{home}/${GOT}'`), '{order}', '--json'],
    exitCode: 0,
    mistake: (home, { stdout }) => {
      const others = (text: string) =>
        text.match(/"order":"\w+"/g)?.filter((each) => !each.includes(home.order ?? ''));
      const [got, printed] = [home.state(GOT), others(stdout)?.length ?? 0];
      return /"order":/.test(got) && others(got)?.length === 0 && printed === 0 ? null : `it gets ${got}`;
    },
  },
  ...KEPT_DAYS.map(
    ([kept, days, left]): Scene => ({
      what: `an event that was delivered ${days} days ago, where they are kept for ${kept ?? 'the usual time'}`,
      first: [
        ...(kept === null ? [] : [['config', 'set', 'events-kept', kept, '--json']]),
        ...[listen('true'), CREATE, listen('true')],
      ],
      change: (home) =>
        execute(home, `update events set at = 0, delivered_at = delivered_at - ${days} * 86400000`),
      args: listen('true'),
      exitCode: 0,
      mistake: (home) => {
        const counts = ['events', 'event_attempts'].map((table) => countOf(home, table));
        return counts.every((count) => count === left) ? null : `${counts} of it are left`;
      },
    }),
  ),
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
