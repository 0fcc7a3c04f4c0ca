import { and, type CommandShape, SETTINGS, SIGNALS } from '../../operations/operations.ts';

export const MCP_SHAPE: CommandShape = {
  operations: {
    mcp: {
      result: [],
      exitCodes: and(SETTINGS, 4, ...SIGNALS),
      values: { '--allow': ['create', 'refund'] },
      changes: 'service',
    },
  },
  shapes: {},
};
