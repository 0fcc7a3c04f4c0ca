import type { PlantedBug } from './bugs.mjs';

/** Plants a bug in its source file; a plugin of rolldown, and of Vite. */
export function planted(bug: PlantedBug): {
  readonly name: string;
  readonly enforce: 'pre';
  transform(code: string, id: string): { readonly code: string; readonly map: null } | null;
};

/** The bug of this name. */
export function bugOf(name: string): PlantedBug;
