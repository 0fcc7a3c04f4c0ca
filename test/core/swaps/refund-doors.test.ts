import { describe, expect, it } from 'vitest';
import { ADDRESSES, ORDER } from '../../helpers/swap-service.ts';
import { inLaboratory, inLibrary, inMcp, inProgram, type Place, placeWith, run } from './doors.ts';

/** `set`, or the code of the error with which setting a refund address by this door ends. */
type Door = (place: Place, address: string) => Promise<string>;

/** Every door; `program` is the library with a ledger. */
const DOORS: Readonly<Record<'command' | 'mcp' | 'program' | 'library' | 'laboratory', Door>> = {
  command: async (place, address) =>
    (await run(place, ['refund', ORDER, address, '--yes', '--json'])).error?.code ?? 'set',
  mcp: (place, address) => inMcp(place, ['set_refund_address', { order: ORDER, address }], 'set'),
  program: (place, address) => inProgram(place, (client) => client.setRefundAddress(ORDER, address), 'set'),
  library: (place, address) => inLibrary(place, (client) => client.setRefundAddress(ORDER, address), 'set'),
  laboratory: (place, address) => inLaboratory(place, { refund: { order: ORDER, address } }, 'set'),
};

/** How many requests to set an address the service received. */
const sent = ({ service }: Place) => service.count('update-refund-address');

const BAD_ADDRESSES = [
  ['of another network', ADDRESSES.eth],
  ['with a typing mistake', ADDRESSES.btcRefund.replace('tb1q2', 'tb1q3')],
] as const;

describe.each(Object.entries(DOORS))('a refund address set through %s', (_, door) => {
  it('is sent once if every check passes', async () => {
    const place = await placeWith();
    expect([await door(place, ADDRESSES.btcRefund), sent(place)]).toEqual(['set', 1]);
  });

  it.each(BAD_ADDRESSES)('is rejected as an address %s before anything is sent', async (__, address) => {
    const place = await placeWith();
    expect([await door(place, address), sent(place)]).toEqual(['invalid_address', 0]);
  });

  it('ends with bad_response if the service confirms another one', async () => {
    const place = await placeWith({
      'update-refund-address': (___, response) => {
        const other = { message: 'Updated', orderNumber: ORDER, newRefundAddress: ADDRESSES.otherBtcDeposit };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(other));
      },
    });
    expect(await door(place, ADDRESSES.btcRefund)).toBe('bad_response');
  });
});
