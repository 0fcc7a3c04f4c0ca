import { spawnSync } from 'node:child_process';

/** Whether a program that CI installs is there; in CI it is taken to be, so that its tests are never left out there. */
export function hasTool(name: string): boolean {
  return process.env['CI'] === 'true' || spawnSync(name, ['--help']).error === undefined;
}
