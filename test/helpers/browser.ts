import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian's package puts it. */
const CHROMIUM = '/usr/bin/chromium';

/** Whether there is a browser; in CI it is taken to be there, so that its tests are never left out. */
export const hasBrowser = process.env['CI'] === 'true' || existsSync(CHROMIUM);

/** Starts a real browser without a window. */
export function startBrowser(): Promise<Browser> {
  // Its own sandbox cannot be had by root, as whom CI runs.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}
