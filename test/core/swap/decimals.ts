import fc from 'fast-check';

/** A decimal as services write them: trailing zeros, up to 40 digits before the dot and 30 behind it. */
export const aDecimal: fc.Arbitrary<string> = fc
  .tuple(
    fc.stringMatching(/^(?:0|[1-9][0-9]{0,39})$/),
    fc.option(fc.stringMatching(/^[0-9]{1,30}$/), { nil: undefined }),
  )
  .map(([whole, fraction]) => (fraction === undefined ? whole : `${whole}.${fraction}`));
