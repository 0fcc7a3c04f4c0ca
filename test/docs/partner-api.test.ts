import { describe, expect, it } from 'vitest';
import { ENDPOINT_NAMES, ENDPOINTS, endpointPath } from '../../src/core/partner-api/endpoints.ts';
import { HABIT_NAMES } from '../../src/core/partner-api/habits.ts';
import { MESSAGES } from '../../src/core/partner-api/messages.ts';
import { listedStatuses } from '../../src/core/partner-api/statuses.ts';
import { ENDPOINT_FIELDS } from '../../src/sandbox/http/fields.ts';
import { missingWords, readPage } from './page.ts';

describe('docs/partner-api.md', () => {
  const { text, section } = readPage('partner-api.md');

  it.each(ENDPOINT_NAMES)('has a section on %s with every parameter', (name) => {
    expect(text).toContain(`| \`${ENDPOINTS[name].method}\` | \`${endpointPath(name)}\` |`);
    const fields = ENDPOINT_FIELDS[name].map((field) => `\`${field.name}\``);
    expect(missingWords(fields, section(name))).toEqual([]);
  });

  it('lists every message of the service', () => {
    const { REFUND_UPDATED, ...messages } = MESSAGES;
    expect(missingWords(Object.values(messages), section('Errors'))).toEqual([]);
    expect(section('update-refund-address')).toContain(REFUND_UPDATED);
  });

  it('lists every status code and every habit', () => {
    for (const { code, status } of listedStatuses())
      expect(section('Status codes')).toMatch(new RegExp(`^\\| ${code} \\| .* \\| \`${status}\` \\|`, 'm'));
    expect(missingWords(HABIT_NAMES, section('Habits'))).toEqual([]);
  });
});
