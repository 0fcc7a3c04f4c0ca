import { QUOTE_AMOUNTS } from '../partner-api/habits.ts';
import { MESSAGES } from '../partner-api/messages.ts';
import type { Decimal } from '../swap/amount.ts';
import { compareDecimals, isZero, sameAmount, significantPlaces, toSmallestUnit } from '../swap/amount.ts';
import type { Check, Verdict } from './check.ts';
import { assumed, differs, documented, HELD, heldIf } from './check.ts';
import type { TestPair } from './listing.ts';
import type { Probe } from './probe.ts';
import {
  choiceText,
  invalid,
  invalidTexts,
  missingChoice,
  missingText,
  outOfBounds,
  type Refusal,
} from './refusals.ts';
import { textAt } from './reply.ts';
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
const NO_PARAMETERS = { endpoint: 'exchange-coin', query: {} } as const;
const BAD_CHOICES = {
  endpoint: 'exchange-coin',
  query: { amount: '1', coinFrom: 'ETH', coinTo: 'USDT', lastSource: 'both', typeSwap: '3' },
} as const;
const NOT_FOUND: Refusal = { status: 404, message: MESSAGES.NOT_FOUND };

/** Checks of prices: fields, directions, bounds and refusals. */
export function quoteChecks(): Check[] {
  return [...fieldChecks(), ...priceChecks(), ...refusalChecks(), ...unknownChecks()];
}

function fieldChecks(): Check[] {
  return [
    ...documented(
      'exchange-coin',
      {
        name: 'fields of a quote',
        expected: 'pair, amount, exchangeRate, receive, minAmount, maxAmount',
        run: async (probe) => fits((await firstQuote(probe)).reply, QUOTE),
      },
      { name: 'label of the pair', expected: 'both codes, upper case, with an underscore', run: pairLabel },
    ),
    ...assumed('exchange-coin', 'numbers', {
      name: 'JSON numbers',
      expected: 'amounts and rate in JSON numbers',
      run: async (probe) => hasJsonNumbers((await firstQuote(probe)).reply, QUOTE, QUOTE_AMOUNTS),
    }),
  ];
}

async function pairLabel(probe: Probe): Promise<Verdict> {
  const { pair, reply } = await firstQuote(probe);
  const label = textAt(reply.json, 'pair');
  const wanted = `${pair.from.coin}_${pair.to.coin}`.toUpperCase();
  return heldIf(label === wanted, label ?? reply.words);
}

function priceChecks(): Check[] {
  return [
    ...documented(
      'exchange-coin',
      {
        name: 'the amount to send',
        expected: 'amount as asked for',
        run: async (probe) => {
          const { asked, figures } = await quoted(probe);
          return heldIf(sameAmount(figures.amount, asked), `${figures.amount} for ${asked}`);
        },
      },
      {
        name: 'the bounds',
        expected: 'minAmount <= amount <= maxAmount, where there is one',
        run: async (probe) => {
          const { amount, min, max } = (await quoted(probe)).figures;
          // Services without a maximum answer 0; the document does not say whether there must be one.
          const isSmallEnough = isZero(max) || compareDecimals(amount, max) <= 0;
          const inside = compareDecimals(min, amount) <= 0 && isSmallEnough;
          return heldIf(inside, `${amount} with ${min} to ${max}`);
        },
      },
      {
        name: 'asked by what to receive',
        expected: 'receive as asked for',
        run: async (probe) => {
          const { first, reply } = await thereAndBack(probe);
          const shape = fits(reply, QUOTE);
          return shape.result === 'held' ? near(figuresOf(reply).receive, first.receive) : shape;
        },
      },
      {
        name: 'a fixed rate',
        expected: 'a quote',
        run: async (probe) => {
          const { fixed } = await bothTypes(probe);
          return fits(fixed, QUOTE);
        },
      },
    ),
    ...assumed('exchange-coin', null, {
      name: 'both directions agree',
      expected: `the same amount to send, within ${MOVEMENT} %`,
      run: async (probe) => {
        const { first, reply } = await thereAndBack(probe);
        return near(figuresOf(reply).amount, first.amount);
      },
    }),
    ...assumed(
      'exchange-coin',
      'fees',
      { name: 'direction of the rate', expected: 'receive <= amount x exchangeRate', run: rateDirection },
      {
        name: 'fixed costs more',
        expected: 'a fixed rate gives no more than a floating one',
        run: async (probe) => {
          const { float, fixed } = await bothTypes(probe);
          const [more, less] = [float.receive, figuresOf(fixed).receive];
          return heldIf(compareDecimals(less, more) <= 0, `${less} fixed, ${more} floating`);
        },
      },
    ),
  ];
}

async function thereAndBack(probe: Probe) {
  const { pair, figures } = await quoted(probe);
  const asked = quoteRequest(pair, { amount: figures.receive, lastSource: 'receive' });
  return { first: figures, reply: await probe.ask(asked) };
}

async function bothTypes(probe: Probe) {
  const { pair, asked, figures } = await quoted(probe);
  return { float: figures, fixed: await probe.ask(quoteRequest(pair, { amount: asked, type: 'fixed' })) };
}

function near(found: Decimal, wanted: Decimal): Verdict {
  const places = Math.max(significantPlaces(found), significantPlaces(wanted));
  const [a, b] = [toSmallestUnit(found, places), toSmallestUnit(wanted, places)];
  const apart = a > b ? a - b : b - a;
  return heldIf(apart * 100n <= b * BigInt(MOVEMENT), `${found} for ${wanted}`);
}

/** `receive` may be lower by the network fee; if more than half is missing, the rate has the other direction. */
async function rateDirection(probe: Probe): Promise<Verdict> {
  const { amount, rate, receive } = (await quoted(probe)).figures;
  const places = [amount, rate, receive].map(significantPlaces);
  const [most = 0, rates = 0] = [places[0], places[1]];
  const product = toSmallestUnit(amount, most) * toSmallestUnit(rate, rates);
  const shared = Math.max(places[2] ?? 0, most + rates);
  const gross = product * 10n ** BigInt(shared - most - rates);
  const net = toSmallestUnit(receive, shared);
  return net <= gross && net * 2n >= gross ? HELD : differs(`${receive} for ${amount} at ${rate}`);
}

function refusalChecks(): Check[] {
  const fields = [...missingText('amount'), ...missingText('coinFrom'), ...missingText('coinTo')];
  const choices = [
    ...missingChoice('lastSource', 'deposit', 'receive'),
    ...missingChoice('typeSwap', '1', '2'),
  ];
  return [
    ...documented(
      'exchange-coin',
      bound('below the minimum', 'below', MESSAGES.BELOW_MINIMUM),
      bound('above the maximum', 'above', MESSAGES.ABOVE_MAXIMUM),
      invalid('no parameters', NO_PARAMETERS),
    ),
    ...assumed(
      'exchange-coin',
      'validation texts',
      invalidTexts('texts for no parameters', NO_PARAMETERS, [...fields, ...choices]),
      invalidTexts('texts for unknown choices', BAD_CHOICES, [
        choiceText('lastSource', 'deposit', 'receive'),
        choiceText('typeSwap', '1', '2'),
      ]),
    ),
  ];
}

function bound(name: string, which: 'below' | 'above', message: string) {
  return {
    name,
    expected: `400 ${message}`,
    run: async (probe: Probe) => {
      const { pair, figures } = await quoted(probe);
      return outOfBounds(
        await probe.ask(quoteRequest(pair, { amount: outsideBounds(figures, which) })),
        message,
      );
    },
  };
}

function unknownChecks(): Check[] {
  const unknown = (name: string, change: (pair: TestPair) => TestPair) => ({
    name,
    expected: `404 ${MESSAGES.NOT_FOUND}`,
    run: async (probe: Probe) => {
      const { pair, amount } = await firstQuote(probe);
      const reply = await probe.ask(quoteRequest(change(pair), { amount }));
      return heldIf(
        reply.status === NOT_FOUND.status && reply.body['message'] === NOT_FOUND.message,
        reply.words,
        reply.status === 422 ? 'unprocessable' : undefined,
      );
    },
  });
  return assumed(
    'exchange-coin',
    'unknown pair or network',
    unknown('an unknown coin', (pair) => ({ ...pair, from: { ...pair.from, coin: NO_COIN } })),
    unknown('an unknown network', (pair) => ({ ...pair, to: { ...pair.to, network: NO_NETWORK } })),
    unknown('a coin for itself', (pair) => ({ ...pair, to: pair.from })),
  );
}
