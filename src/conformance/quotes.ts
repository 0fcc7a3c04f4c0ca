import { QUOTE_AMOUNTS } from '../core/partner-api/habits.ts';
import { textAt } from '../core/partner-api/json.ts';
import { MESSAGES } from '../core/partner-api/messages.ts';
import {
  compareDecimals,
  type Decimal,
  isZero,
  productOf,
  sameAmount,
  significantPlaces,
  toSmallestUnit,
} from '../core/swap/amount.ts';
import { tooManyDecimals } from '../core/swap/decimals.ts';
import { assume, assumed, at, check, differs, HELD, passIf, type Subject, type Verdict } from './check.ts';
import type { TestPair } from './listing.ts';
import type { Probe } from './probe.ts';
import { invalid, outOfBoundsChecks, refusedAs } from './refusals.ts';
import { fits, hasJsonNumbers, QUOTE } from './shape.ts';
import {
  figuresOf,
  firstQuote,
  NO_COIN,
  NO_NETWORK,
  outsideBounds,
  quoted,
  quoteRequest,
} from './test-swap.ts';

/** Allowed difference between two quotes, in percent: the market moves between them. */
const MOVEMENT = 2;

/** Checks of prices: fields, directions, bounds, refusals and habits. */
export const QUOTE_CHECKS = at(
  'exchange-coin',
  check('fields of a quote', 'pair, amount, exchangeRate, receive, minAmount, maxAmount', async (probe) =>
    fits((await firstQuote(probe)).reply, QUOTE),
  ),
  check('label of the pair', 'both codes, upper case, with an underscore', pairLabel),
  assume('numbers', 'JSON numbers', 'amounts and rate in JSON numbers', async (probe) =>
    hasJsonNumbers((await firstQuote(probe)).reply, QUOTE, QUOTE_AMOUNTS),
  ),
  check('the amount to send', 'amount as requested', async (probe) => {
    const { asked, figures } = await quoted(probe);
    const amount = figures('amount');
    return passIf(sameAmount(amount, asked), `${amount} for ${asked}`);
  }),
  check('the bounds', 'minAmount <= amount <= maxAmount, where there is one', async (probe) => {
    const { figures } = await quoted(probe);
    const [amount, min, max] = [figures('amount'), figures('minAmount'), figures('maxAmount')];
    // Services without a maximum answer 0; the document does not say whether there must be one.
    const isSmallEnough = isZero(max) || compareDecimals(amount, max) <= 0;
    const inside = compareDecimals(min, amount) <= 0 && isSmallEnough;
    return passIf(inside, `${amount} with ${min} to ${max}`);
  }),
  check('quoted by the amount to receive', 'receive as requested', async (probe) => {
    const { first, reply } = await thereAndBack(probe);
    const shape = fits(reply, QUOTE);
    return shape.result === 'held' ? near(figuresOf(reply)('receive'), first('receive')) : shape;
  }),
  check('a fixed rate', 'a quote', async (probe) => fits((await bothTypes(probe)).fixed, QUOTE)),
  assume(null, 'both directions agree', `the same amount to send, within ${MOVEMENT} %`, async (probe) => {
    const { first, reply } = await thereAndBack(probe);
    return near(figuresOf(reply)('amount'), first('amount'));
  }),
  assume('fees', 'direction of the rate', 'receive <= amount x exchangeRate', rateDirection),
  assume('fees', 'fixed costs more', 'a fixed rate gives no more than a floating one', async (probe) => {
    const { float, fixed } = await bothTypes(probe);
    const [more, less] = [float('receive'), figuresOf(fixed)('receive')];
    return passIf(compareDecimals(less, more) <= 0, `${less} fixed, ${more} floating`);
  }),
  ...outOfBoundsChecks(async (probe, which) => {
    const { pair, figures } = await quoted(probe);
    return quoteRequest(pair, outsideBounds(figures, which));
  }),
  invalid('no parameters', { endpoint: 'exchange-coin', query: {} }),
  ...assumed(
    'unknown pair or network',
    unknown('an unknown coin', (pair) => ({ ...pair, from: { ...pair.from, coin: NO_COIN } })),
    unknown('an unknown network', (pair) => ({ ...pair, to: { ...pair.to, network: NO_NETWORK } })),
    unknown('a coin for itself', (pair) => ({ ...pair, to: pair.from })),
  ),
  assume('amounts of a coin', 'decimals of what is received', 'no more than the coin has', decimals),
  assume('largest amount', 'a largest amount', 'maxAmount above 0', async (probe) => {
    const max = (await quoted(probe)).figures('maxAmount');
    return passIf(!isZero(max), `maxAmount ${max}`, 'no-maximum');
  }),
  assume('networks left out in a quote', 'no networks', 'a quote', async (probe) => {
    const { pair, amount } = await firstQuote(probe);
    const { from, to } = pair;
    const bare = { from: { ...from, network: null }, to: { ...to, network: null } };
    const reply = await probe.ask(quoteRequest(bare, amount));
    return reply.ok ? fits(reply, QUOTE) : differs(reply.words, 'networks-required');
  }),
);

async function decimals(probe: Probe): Promise<Verdict> {
  const { pair, figures } = await quoted(probe);
  const { coin, network } = pair.to;
  const receive = figures('receive');
  const over = tooManyDecimals(receive, coin, network);
  return over === undefined
    ? HELD
    : differs(`${receive} ${coin} on ${network}, which has ${over.places} decimals`, 'doubles');
}

async function pairLabel(probe: Probe): Promise<Verdict> {
  const { pair, reply } = await firstQuote(probe);
  const label = textAt(reply.json, 'pair');
  const wanted = `${pair.from.coin}_${pair.to.coin}`.toUpperCase();
  return passIf(label === wanted, label ?? reply.words);
}

async function thereAndBack(probe: Probe) {
  const { pair, figures } = await quoted(probe);
  const asked = quoteRequest(pair, figures('receive'), { lastSource: 'receive' });
  return { first: figures, reply: await probe.ask(asked) };
}

async function bothTypes(probe: Probe) {
  const { pair, asked, figures } = await quoted(probe);
  return { float: figures, fixed: await probe.ask(quoteRequest(pair, asked, { type: 'fixed' })) };
}

function near(found: Decimal, wanted: Decimal): Verdict {
  const places = Math.max(significantPlaces(found), significantPlaces(wanted));
  const [a, b] = [toSmallestUnit(found, places), toSmallestUnit(wanted, places)];
  const apart = a > b ? a - b : b - a;
  return passIf(apart * 100n <= b * BigInt(MOVEMENT), `${found} for ${wanted}`);
}

/** `receive` may be lower by the network fee; if more than half is missing, the rate has the other direction. */
async function rateDirection(probe: Probe): Promise<Verdict> {
  const { figures } = await quoted(probe);
  const [amount, rate, receive] = [figures('amount'), figures('exchangeRate'), figures('receive')];
  const product = productOf([amount, rate]);
  const places = Math.max(significantPlaces(receive), significantPlaces(product));
  const [gross, net] = [toSmallestUnit(product, places), toSmallestUnit(receive, places)];
  return net <= gross && net * 2n >= gross ? HELD : differs(`${receive} for ${amount} at ${rate}`);
}

/** A check that a quote of the test pair is refused once its pair is changed. */
function unknown(name: string, change: (pair: TestPair) => TestPair): Subject {
  return check(name, `404 ${MESSAGES.NOT_FOUND}`, async (probe) => {
    const { pair, amount } = await firstQuote(probe);
    const reply = await probe.ask(quoteRequest(change(pair), amount));
    return refusedAs(reply, { status: 404, message: MESSAGES.NOT_FOUND });
  });
}
