import { encode } from 'uqr';
import type { Dialog, Price, Wanted } from '../world/dialogs.ts';

/** What happened to somebody at a terminal, and how much was on the screen by then. */
export type Happening = { readonly at: number } & (
  | { readonly kind: 'asked'; readonly text: string }
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'priced'; readonly price: Price }
  | { readonly kind: 'sent'; readonly endpoint: string; readonly text: string }
  | { readonly kind: 'created'; readonly order: Order }
);

/** An order, as the service describes it. */
export interface Order {
  readonly number: string;
  readonly address: string;
  readonly memo: string;
  readonly amount: string;
  readonly pays: string;
}

/** The result of a command line. */
export interface DialogOutcome {
  readonly happenings: readonly Happening[];
  /** Everything that could be written, in its order. */
  readonly screen: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** What a person cannot do: a question too many, or too few. */
  readonly odd: string | null;
  /** What the ledger has of the order; null for none. */
  readonly recorded: string | null;
  /** The order before, which the command line is about. */
  readonly before: Order | null;
  readonly place: { readonly profile: string; readonly environment: string; readonly host: string };
}

type Of<K extends Happening['kind']> = Extract<Happening, { readonly kind: K }>;

function all<K extends Happening['kind']>({ happenings }: DialogOutcome, kind: K): readonly Of<K>[] {
  return happenings.filter((each): each is Of<K> => each.kind === kind);
}

const SENT = { create: 'create-transaction', update: 'update-refund-address' } as const;

/** The question that money depends on. */
const REVIEWED = /^Create this swap\?|^Set this refund address\?/;

/** What is wrong with the result of a command line; null if nothing is. */
export function dialogProblem(dialog: Dialog, outcome: DialogOutcome): string | null {
  if (outcome.odd !== null) return outcome.odd;
  const sent = all(outcome, 'sent');
  const creates = sent.filter(({ endpoint }) => endpoint === SENT.create);
  const updates = sent.length - creates.length;
  if (creates.length !== dialog.creates) return `${creates.length} creates are sent`;
  if (updates !== dialog.updates) return `${updates} refund addresses are sent`;
  for (const each of sent) {
    const problem = sendingProblem(dialog, outcome, each);
    if (problem !== null) return problem;
  }
  const [made] = all(outcome, 'created');
  const late = made === undefined ? null : orderProblem(dialog, outcome, made);
  if (late !== null) return late;
  if (outcome.exitCode !== dialog.exitCode) return `it ends with ${outcome.exitCode}`;
  const isLeft = dialog.wanted !== null && creates.length === 0 && all(outcome, 'asked').length > 0;
  if (isLeft && !/nothing was sent/i.test(outcome.screen)) return 'it does not say that nothing was sent';
  const lost = isLeft && dialog.wanted !== null ? lostAnswer(dialog, dialog.wanted, outcome) : undefined;
  if (lost !== undefined) return `the command that leads back lacks ${lost}`;
  // Sentences are broken into lines.
  const sentences = outcome.screen.replace(/\s+/g, ' ');
  if (dialog.prints !== null && !dialog.prints.test(sentences)) return `it does not say ${dialog.prints}`;
  const repeated = dialog.neverPrints.find((text) => outcome.screen.includes(text));
  return repeated === undefined ? null : `it repeats ${repeated}`;
}

const NO_MEMO = /^Are you sure that the recipient does not need a memo/;

/** The part of an answer that is not in the command that leads back. */
function lostAnswer({ args }: Dialog, wanted: Wanted, outcome: DialogOutcome): string | undefined {
  const { from, to, amount, address, memo } = wanted;
  const { happenings, screen } = outcome;
  const typed = all(outcome, 'answered').map(({ text }) => text);
  const rate = typed.findLast((text) => text === 'floating' || text === 'fixed') ?? '';
  const words: Readonly<Record<string, string>> = {
    [from.coin]: `${from.coin}:${from.network}`,
    [to.coin]: `${to.coin}:${to.network}`,
    [amount]: amount,
    [rate]: rate === 'fixed' ? '--fixed' : '--float',
    [address]: address,
    [memo ?? '']: memo ?? '',
  };
  const isWaived = happenings.some((each, index) => {
    const next = happenings[index + 1];
    const isAsked = each.kind === 'asked' && NO_MEMO.test(each.text);
    return isAsked && next?.kind === 'answered' && next.text === 'y';
  });
  const kept = [...typed.flatMap((answer) => words[answer] ?? []), ...(isWaived ? ['--no-memo'] : [])];
  const place = [...args, ...typed].includes(address) ? 'get back to this review' : 'continue from here';
  const way = screen.slice(screen.indexOf(`Nothing was sent. To ${place}, run:`));
  return kept.find((word) => !has(way, word));
}

/** What was not on the screen, or not agreed to, when a request that changes something was sent. */
function sendingProblem(
  dialog: Dialog,
  outcome: DialogOutcome,
  { at, endpoint, text }: Of<'sent'>,
): string | null {
  const asked = all(outcome, 'asked').filter((each) => each.at <= at);
  const answered = all(outcome, 'answered').filter((each) => each.at <= at);
  const question = asked.at(-1);
  const before = answered.length > 1 ? (answered.at(-2)?.at ?? 0) : 0;
  const isPerson = dialog.at !== 'pipe' && !dialog.args.includes('--yes');
  const { profile, environment, host } = outcome.place;
  const announced = outcome.screen.slice(answered.at(-1)?.at ?? 0, at).split('\n');
  if (!announced.some((line) => has(line, profile, environment, host)))
    return 'it does not say where it sends';
  const read = outcome.screen.slice(before, question?.at ?? at);
  const unread = dialog.before.find((words) => !reads(read, words));
  if (unread !== undefined) return `${unread} is not shown before it is sent`;
  if (isPerson) {
    if (question === undefined || !REVIEWED.test(question.text)) return 'it is sent without a review';
    if (!/^y(es)?$/i.test(answered.at(-1)?.text ?? '')) return 'it is sent without a yes';
    if (endpoint === SENT.create && !has(read, profile, environment, host))
      return 'the review does not say where it sends';
  }
  if (endpoint === SENT.update) return refundProblem(dialog, outcome, read, text);
  if (dialog.wanted === null) return null;
  const content = JSON.parse(text.replace(/("depositAmount":)([^,}]+)/, '$1"$2"')) as Record<string, unknown>;
  const { wanted } = dialog;
  const amount = String(content['depositAmount']);
  const sides = [content['depositCoin'], content['depositNetwork'], content['receiveCoin']];
  const wantedSides = [wanted.from.coin, wanted.from.network, wanted.to.coin];
  if (sides.join() !== wantedSides.join() || content['receiveNetwork'] !== wanted.to.network)
    return `it sends ${text}`;
  const address = String(content['receiveAddress']);
  if (!isSpelled(address, wanted.address) || (content['memo'] ?? null) !== wanted.memo)
    return `it sends ${text}`;
  const prices = all(outcome, 'priced').filter((each) => each.at <= at);
  const now = prices.at(-1)?.price;
  const exact = wanted.side === 'deposit' ? wanted.amount : roundedUp(now?.deposit ?? '0', wanted.from);
  if (!isPerson && prices.length !== 1) return `it is priced ${prices.length} times`;
  const seen = isPerson ? prices.findLast((each) => each.at <= (question?.at ?? 0))?.price : now;
  const rounded = roundedUp(seen?.deposit ?? '0', wanted.from);
  const isRounded = wanted.side === 'receive' && seen !== undefined && !isSame(seen.deposit, rounded);
  if (isRounded && !(has(read, seen.deposit, rounded) && /rounded\s+up/.test(read)))
    return 'it does not say that the deposit is rounded up';
  if (!isSame(amount, exact)) return `it sends a deposit of ${amount}, not ${exact}`;
  if (!isPerson || question === undefined || now === undefined) return null;
  const since = outcome.screen.slice(question.at, at);
  return reviewProblem(outcome, { ...wanted, address }, { read, since, question, amount, now });
}

/** What is not shown of a refund before its address is sent. */
function refundProblem(
  { args }: Dialog,
  { before }: DialogOutcome,
  read: string,
  text: string,
): string | null {
  const { id, refundAddress } = JSON.parse(text) as Record<string, string>;
  if (before === null || id !== before.number || !args.includes(refundAddress ?? ''))
    return `it sends ${text}`;
  return has(read, before.number, before.address, args[2] ?? '')
    ? null
    : 'it does not show order and addresses';
}

interface Review {
  /** What the person read before the yes, and between yes and create. */
  readonly read: string;
  readonly since: string;
  readonly question: Of<'asked'>;
  /** The deposit that is sent, and the last price. */
  readonly amount: string;
  readonly now: Price;
}

/** What is missing in a review, or has changed since. */
function reviewProblem(
  outcome: DialogOutcome,
  wanted: Wanted,
  { read, since, question, amount, now }: Review,
): string | null {
  const { from, to, address, memo, refund, labels, tolerance, side } = wanted;
  const lines = read.split('\n');
  const isLine = (...words: readonly string[]) => lines.some((line) => has(line, ...words));
  if (!isLine(from.coin, 'on', from.network)) return 'the review lacks the network of the deposit';
  if (!isLine(to.coin, 'on', to.network)) return 'the review lacks the network of the payout';
  if (!isLine(address) || !isLine('memo', memo ?? 'none')) return 'the review lacks the address or its memo';
  if (!isLine('Refund', refund ?? 'none')) return 'the review lacks the refund address';
  const unlabelled = labels.find((label) => !has(read, ...label.split(' ')));
  if (unlabelled !== undefined) return `the review lacks the label ${unlabelled}`;
  const prices = all(outcome, 'priced');
  const seen = prices.filter((each) => each.at <= question.at).at(-1)?.price;
  if (seen === undefined) return 'it is not priced before the review';
  if (!prices.some((each) => each.at >= question.at)) return 'it is not priced again';
  const sends = side === 'deposit' ? wanted.amount : roundedUp(seen.deposit, from);
  if (!isLine(sends, from.coin)) return `the review lacks the deposit ${sends}`;
  if (!isLine(seen.receive, to.coin)) return `the review lacks the payout ${seen.receive}`;
  const fell = 100 * (1 - Number(now.receive) / Number(seen.receive));
  const rose = 100 * (Number(amount) / Number(sends) - 1);
  if (Math.max(fell, rose) > tolerance + 1e-9)
    return `a price that got worse is not reviewed: ${now.receive}`;
  const changes = [
    isSame(amount, sends)
      ? null
      : `${sends} ${from.coin} to send, now ${amount} ${from.coin}${percent(sends, amount)}`,
    now.receive === seen.receive
      ? null
      : `${seen.receive} ${to.coin}, now ${now.receive} ${to.coin}${percent(seen.receive, now.receive)}`,
  ].filter((words) => words !== null);
  const noted = since.replace(/\s+/g, ' ');
  const unsaid = changes.find((words) => !noted.includes(`reviewed ${words}`));
  if (unsaid !== undefined) return `a change of the price is not shown: reviewed ${unsaid}`;
  return null;
}

/** How much an amount has changed, as it is written. */
function percent(was: string, is: string): string {
  const change = ((Number(is) / Number(was) - 1) * 100).toFixed(1);
  return /[1-9]/.test(change) ? ` (${change.replace(/^(?!-)/, '+').replace('-', '\u2212')} %)` : '';
}

/** What is not shown of an order that exists. */
function orderProblem(dialog: Dialog, outcome: DialogOutcome, { at, order }: Of<'created'>): string | null {
  const { number, address, memo, amount, pays } = order;
  const { isFundable, wanted } = dialog;
  const shown = outcome.screen.slice(at);
  const text = plain(shown);
  const values = new Set(text.split(/[\s",:}]+/));
  const isThere = (value: string) => values.has(value) || text.includes(`"${value}"`);
  const words = text.split(/[^A-Z0-9]+/);
  if (!words.includes(number)) return 'it does not name the order';
  if (dialog.recorded !== outcome.recorded) return `the ledger has ${outcome.recorded} of the order`;
  if (dialog.at === 'pipe' && dialog.exitCode !== 0 && !dialog.isStopped && outcome.stdout !== '')
    return 'what failed looks like a success';
  if (/"retryable":true/.test(shown)) return 'it may be repeated';
  const isPaid = text.includes('Send exactly') || text.includes('"fundable":true');
  if (!isFundable) {
    if (isPaid || /[▀▄█]/.test(text)) return 'an order that must not be paid looks good';
    return /do not (fund|send)|costs? nothing|"fundable":false/i.test(text)
      ? null
      : 'it does not warn of paying';
  }
  if (!isThere(address)) return 'it lacks the deposit address';
  if (memo !== '' && !isThere(memo)) return 'it lacks the memo of the deposit';
  if (!isThere(amount)) return `it lacks the amount to deposit, ${amount}`;
  if (wanted !== null && !new RegExp(`network\\W+${wanted.from.network}\\b`, 'i').test(text))
    return 'it lacks the network of the deposit';
  const uneven = weightProblem(shown, order, wanted?.from.network ?? '');
  if (uneven !== null) return uneven;
  const before = all(outcome, 'priced').map(({ price }) => price);
  const best = outcome.happenings.some(({ kind }) => kind === 'asked') ? before.at(-2) : before.at(-1);
  const fell = 100 * (1 - Number(pays) / Number(best?.receive ?? pays));
  if (wanted !== null && fell > wanted.tolerance + 1e-9) {
    const notice = text.indexOf('costs nothing');
    const place = Math.max(text.lastIndexOf(address), text.lastIndexOf('Send exactly'));
    if (notice < 0 || notice > place || !text.includes(best?.receive ?? pays) || !text.includes(pays))
      return `it does not say that the order pays ${pays} in place of ${best?.receive}`;
  }
  return codeProblem(dialog, outcome, order);
}

/** A part of the deposit that looks less important than the others, where there is colour. */
function weightProblem(shown: string, { address, memo, amount }: Order, coin: string): string | null {
  const parts = [address, amount, ...(memo === '' ? [] : [memo])];
  const lines = shown.split('\n').filter((line) => /\u001b\[/.test(line));
  const line = (...words: readonly string[]) => lines.findLast((each) => has(each, ...words)) ?? '';
  const styles = parts.map((part) => styleAt(line(part), line(part).indexOf(part)));
  const network = line('Network');
  const weights = lines.length === 0 ? [] : [...styles, styleAt(network, network.lastIndexOf(coin))];
  const [first = null] = weights;
  return first === null || weights.every((weight) => weight === first)
    ? null
    : `address, amount, memo and network weigh ${JSON.stringify(weights)}`;
}

/** The colours and weights that are on at a place of a line. */
function styleAt(line: string, place: number): string {
  return [...line.slice(0, place).matchAll(/\u001b\[([0-9;]*)m/g)].map(([, codes]) => codes).join(' ');
}

/** A code to scan that holds something else than it must. */
function codeProblem(
  { code, args }: Dialog,
  { screen, stdout }: DialogOutcome,
  { address }: Order,
): string | null {
  if (code === null) return null;
  const text = code.replace('$', address);
  if (args.includes('--json'))
    return stdout.includes(`"paymentUri":${JSON.stringify(text)}`) ? null : `the code is not ${text}`;
  if (!screen.includes('▀')) return stdout.includes(text) ? null : `the code is not ${text}`;
  return screen.includes(drawn(text)) ? null : `the code that is drawn is not ${text}`;
}

/** A code in half blocks, light modules drawn. */
function drawn(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const isLight = (row: number, column: number) => row < size && data[row]?.[column] === false;
  const rows = Array.from({ length: Math.ceil(size / 2) }, (_, half) =>
    Array.from({ length: size }, (__, column) => {
      const [upper, lower] = [isLight(2 * half, column), isLight(2 * half + 1, column)];
      if (upper) return lower ? '█' : '▀';
      return lower ? '▄' : ' ';
    }).join(''),
  );
  return ` ${rows.join('\n ')}`;
}

function plain(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}

/** Whether each word is in a text, between blanks. */
function has(text: string, ...words: readonly string[]): boolean {
  const found = new Set(plain(text).split(/\s+/));
  return words.every((word) => found.has(word) || found.has(`${word}.`) || found.has(`${word},`));
}

function reads(text: string, words: RegExp | string): boolean {
  return typeof words === 'string' ? has(text, words) : words.test(text.replace(/\s+/g, ' '));
}

/** Whether two texts are one address: those of Ethereum may be written without capitals. */
function isSpelled(sent: string, address: string): boolean {
  return sent === address || (address.startsWith('0x') && sent.toLowerCase() === address.toLowerCase());
}

const PLACES: Readonly<Record<string, number>> = { BTC: 8, XRP: 6, ETH: 18, DOGE: 8, XMR: 12 };

/** An amount as units of its last possible place. */
function unitsOf(amount: string, places: number): bigint {
  const [whole = '0', rest = ''] = amount.split('.');
  return BigInt(whole + rest.padEnd(places, '0').slice(0, places));
}

function isSame(a: string, b: string): boolean {
  return unitsOf(a, 30) === unitsOf(b, 30);
}

/** An amount, rounded up to what its network can pay. */
function roundedUp(amount: string, { coin }: Wanted['from']): string {
  const places = PLACES[coin] ?? 6;
  const units = unitsOf(amount, places);
  const isExact = isSame(amount, decimalOf(units, places));
  return decimalOf(isExact ? units : units + 1n, places);
}

function decimalOf(units: bigint, places: number): string {
  const digits = String(units).padStart(places + 1, '0');
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return text.replace(/\.?0+$/, '');
}
