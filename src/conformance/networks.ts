import { MESSAGES } from '../partner-api/messages.ts';
import { findNetwork } from '../swap/networks/networks.ts';
import type { Side } from '../swap/swap.ts';
import type { Check, Verdict } from './check.ts';
import { assumed, documented, heldIfNone } from './check.ts';
import { choosePair, coinsIn, listed, networksOf } from './listing.ts';
import type { Probe } from './probe.ts';
import { NotTestable } from './probe.ts';
import { invalid, invalidTexts, missingText, refused } from './refusals.ts';
import type { Reply } from './reply.ts';
import { textAt } from './reply.ts';
import { COIN_NETWORKS, fits } from './shape.ts';
import { NO_COIN } from './test-swap.ts';

const NO_PARAMETER = { endpoint: 'get-coin-network', query: {} } as const;
const EMPTY_PARAMETER = { endpoint: 'get-coin-network', query: { coin: '' } } as const;
const UNKNOWN_COIN = { endpoint: 'get-coin-network', query: { coin: NO_COIN } } as const;

/** Checks of the networks of one coin. */
export function networkChecks(): Check[] {
  return [
    ...documented(
      'get-coin-network',
      {
        name: 'fields of the networks',
        expected: 'deposit and withdraws with subName',
        run: async (probe) => fits((await ownNetworks(probe)).reply, COIN_NETWORKS),
      },
      invalid('no coin', NO_PARAMETER),
    ),
    ...assumed(
      'get-coin-network',
      'validation texts',
      invalidTexts('texts for no coin', NO_PARAMETER, missingText('coin')),
      invalidTexts('text for an empty coin', EMPTY_PARAMETER, ['coin should not be empty']),
    ),
    ...assumed(
      'get-coin-network',
      'unknown pair or network',
      refused('an unknown coin', UNKNOWN_COIN, { status: 404, message: MESSAGES.NOT_FOUND }),
    ),
    ...assumed(
      'get-coin-network',
      'network codes',
      {
        name: 'networks as in the coin list',
        expected: 'the same codes in both',
        run: sameNetworks,
      },
      {
        name: 'codes of the networks',
        expected: "the chain's own ticker, such as ETH",
        run: async (probe) => heldIfNone(await foreignCodes(probe)),
      },
    ),
  ];
}

async function ownNetworks(probe: Probe): Promise<{ coin: string; reply: Reply }> {
  const { coin } = (await choosePair(probe)).from;
  return { coin, reply: await probe.ask({ endpoint: 'get-coin-network', query: { coin } }) };
}

async function sameNetworks(probe: Probe): Promise<Verdict> {
  const { coin, reply } = await ownNetworks(probe);
  const entry = coinsIn(await listed(probe, 'deposit'), 'deposit').find(
    (item) => textAt(item, 'subName') === coin,
  );
  const given = reply.body['deposit'];
  if (entry === undefined || !Array.isArray(given))
    throw new NotTestable(`no networks of ${coin} to compare`);
  const listedCodes = networksOf(entry, 'deposit');
  const codes = given.map((item) => textAt(item, 'subName') ?? '');
  return heldIfNone([
    ...listedCodes.filter((code) => !codes.includes(code)).map((code) => `${code} only in the coin list`),
    ...codes.filter((code) => !listedCodes.includes(code)).map((code) => `${code} only in get-coin-network`),
  ]);
}

async function foreignCodes(probe: Probe): Promise<string[]> {
  const codes = new Set<string>();
  for (const side of ['deposit', 'receive'] as const satisfies readonly Side[]) {
    for (const coin of coinsIn(await listed(probe, side), side)) {
      for (const code of networksOf(coin, side)) codes.add(code);
    }
  }
  if (codes.size === 0) throw new NotTestable('no network is listed');
  return [...codes].flatMap((code) => {
    const known = findNetwork(code);
    if (known === undefined) return [`${code} is not known here`];
    return known.code === code ? [] : [`${code} for ${known.code}`];
  });
}
