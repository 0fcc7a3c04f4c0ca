import type { Home } from './home.ts';
import { CREATE, type Scene } from './scene.ts';

/** Signals that ask swapctl to end while its create is on the way. */
export const SIGNALS: readonly Scene[] = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => ({
  what: `${signal} during a create`,
  signal,
  args: CREATE,
  exitCode: 7,
  creates: 1,
  prints: /"code":"outcome_unknown".*interrupted/,
}));

const BASE = '.cache';
const OWN = `${BASE}/swapctl`;
const COMPILED = `${OWN}/compile-cache`;

/** A link to a private folder, whose content somebody else can choose. */
function linkAway(home: Home, name: string): void {
  home.folder('planted', 0o700);
  home.link(name, 'planted');
}

/** Folders for compiled code, which runs with every secret in reach, and whether each is used. */
export const COMPILED_FOLDERS: readonly (readonly [string, (home: Home) => void, 'used' | 'left'])[] = [
  ['private', (home) => home.folder(COMPILED, 0o700), 'used'],
  ['not there', () => undefined, 'used'],
  ['in a cache that others can write to', (home) => home.folder(BASE, 0o777), 'left'],
  ["in swapctl's cache, which others can read", (home) => home.folder(OWN, 0o755), 'left'],
  ['one that others can write to', (home) => home.folder(COMPILED, 0o770), 'left'],
  ["behind a link for swapctl's cache", (home) => linkAway(home, OWN), 'left'],
  ['behind a link', (home) => linkAway(home, COMPILED), 'left'],
  ['behind a broken link', (home) => home.link(OWN, 'nowhere'), 'left'],
  ['at a file', (home) => home.write(OWN, ''), 'left'],
  ...(process.getuid?.() === 0
    ? ([BASE, OWN, COMPILED] as const).map((name): readonly [string, (home: Home) => void, 'left'] => [
        `in ${name} of another user`,
        (home) => {
          home.folder(COMPILED, 0o700);
          home.giveAway(name);
        },
        'left',
      ])
    : []),
];
