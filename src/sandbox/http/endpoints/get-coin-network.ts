import type { WireCoinNetworks } from '../../../partner-api/types.ts';
import type { Side } from '../../../swap/swap.ts';
import { OK_STATUS } from '../../state/assumptions.ts';
import type { Answer } from '../answer.ts';
import { ApiError } from '../api-error.ts';
import type { Call, Core } from '../core.ts';

/** Answers get-coin-network: where one coin can be deposited and received. */
export function getCoinNetwork(
  core: Pick<Core, 'catalogue' | 'decisions'>,
  { values }: Pick<Call, 'values'>,
): Answer {
  const coin = core.catalogue.findCoin(values.get('coin') ?? '');
  const { status, message } = core.decisions.unknownCoin;
  if (coin === undefined) throw new ApiError(status, message);
  const names = (side: Side) =>
    coin.assets.filter((asset) => asset[side]).map(({ network }) => ({ subName: network }));
  const body: WireCoinNetworks = { deposit: names('deposit'), withdraws: names('receive') };
  return { status: OK_STATUS, body };
}
