import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { isInstalled } from './tools.ts';

/** Where Debian's package puts it. */
const CHROMIUM = '/usr/bin/chromium';

/** Whether there is a browser. */
export const hasBrowser = isInstalled(() => existsSync(CHROMIUM));

/** Starts a real browser without a window. */
export function startBrowser(): Promise<Browser> {
  // Its own sandbox cannot be had by root, as whom CI runs.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}
