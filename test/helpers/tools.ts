import { spawnSync } from 'node:child_process';

/**
 * Whether something that CI installs is there. In CI it always is, so that tests which need it fail there without it
 * instead of being left out.
 */
export function isInstalled(isThere: () => boolean): boolean {
  return process.env['CI'] === 'true' || isThere();
}

/** Whether a program that CI installs is there, as {@link isInstalled}. */
export function hasTool(name: string): boolean {
  return isInstalled(() => spawnSync(name, ['--help']).error === undefined);
}
