import { h } from './dom.ts';

/** A status in its colour. */
export function badge(status: string): HTMLElement {
  return h('span', { class: `badge ${status.replaceAll(/[^a-z]/g, '')}` }, status);
}
