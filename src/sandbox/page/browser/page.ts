import { html, nothing } from 'lit-html';
import { parseDuration, secondsWords } from '../../../base/time.ts';
import { ask, askJson, type ClockJson, Refused } from './api.ts';
import { type Action, button, byId, field, show, time, type View } from './dom.ts';
import { faultsView } from './faults.ts';
import { ordersView } from './orders.ts';
import { partnersView } from './partners.ts';
import { requestsView } from './requests.ts';

const STEPS = [
  { label: '+1 min', milliseconds: 60_000 },
  { label: '+10 min', milliseconds: 600_000 },
  { label: '+1 h', milliseconds: 3_600_000 },
];

async function showClock(parent: HTMLElement): Promise<void> {
  const { now, offsetSeconds, standsStill } = await askJson<ClockJson>('GET', '/clock');
  const state = standsStill
    ? 'stopped'
    : offsetSeconds === 0
      ? 'real time'
      : `${secondsWords(offsetSeconds)} ahead`;
  const advanceButtons = STEPS.map(({ label, milliseconds }) =>
    button(label, 'advance', String(milliseconds), { name: `${label}, advance the clock` }),
  );
  const own = field('Advance by', 'duration', {
    placeholder: '30s',
    size: 6,
    isRequired: true,
    pattern: '[0-9]{1,6}[smhd]',
    title: 'A number and s, m, h or d',
  });
  show(
    parent,
    html`<p class="now">${time(now)}<span> UTC, ${state}</span></p>
      <div class="buttons">
        ${advanceButtons}
        <form data-do="advance-own">${own}<button>Advance</button></form>
        ${button('Real time', 'clock-reset')}
      </div>`,
  );
}

async function advance(milliseconds: number): Promise<string> {
  const { transitions } = await askJson<{ transitions: readonly unknown[] }>('POST', '/clock/advance', {
    milliseconds,
  });
  const due = transitions.length === 1 ? '1 status change' : `${transitions.length} status changes`;
  return `The clock was advanced; ${due}.`;
}

const POLL_MS = 1000;

const views: readonly View[] = [ordersView(announce), faultsView(), partnersView(), requestsView()];
let current = 0;
/** Whether the view was opened and shows nothing yet. */
let isOpened = true;
let shown = '';
let polling: Promise<void> | undefined;
let pollAgain = false;

/** How long a message covers the end of the page, in milliseconds. */
const NEWS_MS = 8_000;

/** Shows a message, also to screen readers. */
function announce(news: string): void {
  const element = byId('news');
  element.textContent = news;
  setTimeout(() => {
    if (element.textContent === news) element.textContent = '';
  }, NEWS_MS);
}

function showViews(): void {
  const tabs = views.map(
    ({ title }, index) =>
      html`<button
        type="button"
        data-do="view"
        data-value=${String(index)}
        aria-current=${index === current ? 'page' : nothing}
      >${title}</button>`,
  );
  show(byId('views'), html`${tabs}<a href="/openapi.json" target="_blank">OpenAPI document</a>`);
}

/** Shows what is new; a poll in progress is followed by another one, so that nothing is missed. */
function poll(): Promise<void> {
  if (polling !== undefined) {
    pollAgain = true;
    return polling;
  }
  polling = pollOnce().finally(() => {
    polling = undefined;
    if (!pollAgain) return undefined;
    pollAgain = false;
    return poll();
  });
  return polling;
}

async function pollOnce(): Promise<void> {
  const view = views[current];
  if (view === undefined) return;
  try {
    const [{ state, render }] = await Promise.all([view.load(isOpened), showClock(byId('clock'))]);
    if (view === views[current] && (isOpened || state !== shown)) {
      show(byId('main'), render());
      shown = state;
      isOpened = false;
    }
    byId('problem').textContent = '';
  } catch (error) {
    byId('problem').textContent = wordsOf(error);
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Refused ? error.message : 'Unexpected error in this page. Reload it.';
}

const PAGE_ACTIONS: Readonly<Record<string, Action>> = {
  advance: async (milliseconds) => advance(Number.parseInt(milliseconds, 10)),
  'advance-own': async (_value, { duration = '' }) => advance(parseDuration(duration) ?? 0),
  'clock-reset': async () => {
    await ask('POST', '/clock/reset');
    return 'The clock shows real time again; recorded times moved back with it.';
  },
  view: async (index) => {
    current = Number.parseInt(index, 10);
    isOpened = true;
    show(byId('main'), html`<p class="empty">Loading.</p>`);
    showViews();
    return null;
  },
};

/** Runs the action of a button or a form; resolves to whether it succeeded. */
async function runElementAction(element: HTMLElement, fields: Readonly<Record<string, string>> = {}) {
  const name = element.getAttribute('data-do') ?? '';
  const action = views[current]?.actions[name] ?? PAGE_ACTIONS[name];
  if (action === undefined || element.getAttribute('aria-disabled') === 'true') return false;
  const focused = document.activeElement;
  try {
    const news = await action(element.getAttribute('data-value') ?? '', fields);
    if (news !== null) announce(news);
    await poll();
    // Not if the person has moved the focus meanwhile.
    if (name === 'open-order' && document.activeElement === focused)
      document.getElementById('order-title')?.focus();
    return true;
  } catch (error) {
    announce(wordsOf(error));
    return false;
  }
}

function fieldsOf(form: HTMLFormElement): Readonly<Record<string, string>> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

document.addEventListener('click', ({ target }) => {
  const found = target instanceof Element ? target.closest('button[data-do]') : null;
  if (found instanceof HTMLElement) void runElementAction(found);
});

document.addEventListener('submit', (event) => {
  const { target } = event;
  event.preventDefault();
  if (!(target instanceof HTMLFormElement)) return;
  void runElementAction(target, fieldsOf(target)).then((done) => {
    if (done && !target.hasAttribute('data-on-change')) target.reset();
  });
});

document.addEventListener('change', ({ target }) => {
  const form = target instanceof Element ? target.closest('form[data-on-change]') : null;
  if (form instanceof HTMLFormElement) void runElementAction(form, fieldsOf(form));
});

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void poll();
});

setInterval(() => {
  if (!document.hidden) void poll();
}, POLL_MS);

showViews();
void poll();
