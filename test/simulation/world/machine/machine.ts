import { BATCHES, BUDGETS } from './batches.ts';
import { CHILDREN } from './children.ts';
import { LEDGERS } from './ledgers.ts';
import { SIGNALS } from './programs.ts';
import { PROXIES } from './proxies.ts';
import { RECORDINGS } from './recordings.ts';
import type { Scene } from './scene.ts';
import { SECRETS } from './secrets.ts';
import { SETTINGS } from './settings.ts';

export const SCENES: readonly Scene[] = [
  ...SETTINGS,
  ...LEDGERS,
  ...SECRETS,
  ...PROXIES,
  ...SIGNALS,
  ...BATCHES,
  ...CHILDREN,
  ...RECORDINGS,
  ...BUDGETS,
];
