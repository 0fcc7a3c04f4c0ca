import { ask, askJson, type ClockJson } from './api.ts';
import { type Action, button, div, field, h, show, time } from './dom.ts';

const STEPS = [
  { label: '+1 m', milliseconds: 60_000 },
  { label: '+10 m', milliseconds: 600_000 },
  { label: '+1 h', milliseconds: 3_600_000 },
];

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Shows the clock in a part of the page. */
export async function showClock(place: Element): Promise<void> {
  const { now, offsetSeconds, standsStill } = await askJson<ClockJson>('GET', '/clock');
  const state = standsStill ? 'stopped' : offsetSeconds === 0 ? 'real time' : `${offsetSeconds} s ahead`;
  show(
    place,
    h('p', { class: 'now' }, time(now), h('span', {}, ` UTC, ${state}`)),
    div(
      'buttons',
      STEPS.map(({ label, milliseconds }) =>
        button(label, 'advance', String(milliseconds), {
          'aria-label': `${label}, advance the clock`,
          'data-key': label,
        }),
      ),
      h(
        'form',
        { 'data-do': 'advance-own', 'data-key': 'own' },
        field('Advance by', 'duration', {
          placeholder: '30s',
          size: 6,
          required: true,
          pattern: '[0-9]{1,6}[smhd]',
          title: 'A number and s, m, h or d',
        }),
        h('button', {}, 'Advance'),
      ),
      button('Real time', 'clock-reset', '', { 'data-key': 'reset' }),
    ),
  );
}

/** What can be done to the clock. */
export const CLOCK_ACTIONS: Readonly<Record<string, Action>> = {
  advance: async (milliseconds) => advance(Number.parseInt(milliseconds, 10)),
  'advance-own': async (_value, { duration = '' }) => {
    const unit = UNITS[duration.slice(-1)] ?? 0;
    return advance(Number.parseInt(duration, 10) * unit);
  },
  'clock-reset': async () => {
    await ask('POST', '/clock/reset');
    return 'The clock shows real time again; recorded times moved back with it.';
  },
};

async function advance(milliseconds: number): Promise<string> {
  const { transitions } = await askJson<{ transitions: readonly unknown[] }>('POST', '/clock/advance', {
    milliseconds,
  });
  const due = transitions.length === 1 ? '1 change is due' : `${transitions.length} changes are due`;
  return `The clock was advanced; ${due}.`;
}
