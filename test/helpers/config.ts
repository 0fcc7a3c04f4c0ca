import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The configuration in a home folder. */
export const configIn = (home: string): string => join(home, '.config', 'swapctl', 'config.json');

/** Writes the configuration of a home folder, readable only by its owner; returns its path. */
export function writeConfig(home: string, config: unknown): string {
  const file = configIn(home);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config), { mode: 0o600 });
  return file;
}
