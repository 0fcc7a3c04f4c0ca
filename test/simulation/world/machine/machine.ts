import { LEDGERS } from './ledgers.ts';
import type { Scene } from './scene.ts';
import { SETTINGS } from './settings.ts';

export const SCENES: readonly Scene[] = [...SETTINGS, ...LEDGERS];
