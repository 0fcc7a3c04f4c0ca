import { describe, expect, it } from 'vitest';
import {
  ENDPOINT_NAMES,
  ENDPOINTS,
  endpointPath,
  isEndpointName,
} from '../../../src/core/partner-api/endpoints.ts';
import { listedStatuses, STATUS_CODES, statusMeaning } from '../../../src/core/partner-api/statuses.ts';

describe('a status code', () => {
  it.each([
    [9, 'new', false, false],
    [1, 'confirmation', false, false],
    [3, 'exchanging', false, false],
    [4, 'success', true, false],
    [12, 'success', true, false],
    [5, 'overdue', true, false],
    [6, 'error', true, false],
    [13, 'refund', true, false],
    [10, 'pause', false, true],
    [11, 'frozen', false, true],
  ] as const)('%i means %s', (code, status, final, needsPerson) => {
    expect(statusMeaning(code)).toMatchObject({ status, final, needsPerson });
  });

  it.each([0, 2, 7, 8, 14, -1, 99, 1.5, Number.NaN])('%d is unknown and not final', (code) => {
    expect(statusMeaning(code)).toMatchObject({ status: 'unknown', final: false, needsPerson: false });
  });

  it('is listed once, in the order in which a swap passes through them', () => {
    const codes = listedStatuses().map(({ code }) => code);
    expect(codes).toEqual([9, 1, 3, 12, 4, 5, 6, 10, 11, 13]);
    expect(Object.values(STATUS_CODES).toSorted()).toEqual(codes.toSorted());
  });
});

describe('an endpoint', () => {
  it('is one of six, each with its HTTP method', () => {
    expect(Object.entries(ENDPOINTS).map(([name, { method }]) => `${method} ${name}`)).toEqual([
      'GET get-all-coins',
      'GET get-coin-network',
      'GET exchange-coin',
      'GET get-transaction',
      'POST create-transaction',
      'PATCH update-refund-address',
    ]);
  });

  it('has a path below /api/private/', () => {
    expect(endpointPath('exchange-coin')).toBe('/api/private/exchange-coin');
  });

  it('is recognized only by its exact name', () => {
    expect(ENDPOINT_NAMES.every(isEndpointName)).toBe(true);
    for (const name of ['', 'Get-All-Coins', 'get-all-coins ', 'toString', '__proto__', 'constructor'])
      expect(isEndpointName(name), name).toBe(false);
  });
});
