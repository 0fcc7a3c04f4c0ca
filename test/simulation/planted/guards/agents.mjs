const CONFIRMATIONS = 'src/cli/commands/mcp/confirmations.ts';
const CREATE = 'src/cli/commands/mcp/create-swap.ts';
const CHANGING = 'src/cli/commands/mcp/changing-tools.ts';
const ANSWER = 'src/cli/commands/mcp/answer.ts';

export const AGENTS = [
  {
    name: 'confirmation-unsigned',
    what: 'a host changes what was confirmed',
    file: CONFIRMATIONS,
    find: 'given.length === due.length && timingSafeEqual(given, due)',
    replace: 'given.length === due.length',
  },
  {
    name: 'confirmation-forever',
    what: 'a confirmation never expires',
    file: CONFIRMATIONS,
    find: "    if (now >= read.until) throw unusable('has expired');\n",
    replace: '',
  },
  {
    name: 'confirmation-reused',
    what: 'a confirmation can be used twice',
    file: CONFIRMATIONS,
    find: '    this.#used.set(nonce, until);\n',
    replace: '',
  },
  {
    name: 'confirmation-of-any-request',
    what: 'a confirmation holds for other arguments',
    file: CREATE,
    find: "  if (reviewed.digest !== digestOfCall(call)) throw declined('The confirmation is for another request.');\n",
    replace: '',
  },
  {
    name: 'confirmed-price-ignored',
    what: 'a price that got worse than the one that a person confirmed is sent',
    file: CREATE,
    find: '{ yes: { deposit: reviewed.amount, receive: reviewed.receive } }',
    replace: "{ yes: 'now' }",
  },
  {
    name: 'form-as-approval',
    what: 'a host answers a form by a second call, without the person',
    file: CREATE,
    find: "  if (form === null && reviewed.byForm) throw declined('The person has to answer the form.');\n",
    replace: '',
  },
  {
    name: 'any-six-characters',
    what: 'any characters that are typed into a form confirm it',
    file: CREATE,
    find: "if (typeof typed === 'string' && typed.trim().toLowerCase() === due) return reviewed;",
    replace: "if (typeof typed === 'string') return reviewed;",
  },
  {
    name: 'empty-form-confirms',
    what: 'a form that is accepted without the end of the address confirms it',
    file: CREATE,
    find: "if (typeof typed === 'string' && typed.trim().toLowerCase() === due) return reviewed;",
    replace: "if (typeof typed !== 'string' || typed.trim().toLowerCase() === due) return reviewed;",
  },
  {
    name: 'agent-text-of-any-length',
    what: 'a text of the service reaches an agent in any length',
    file: ANSWER,
    find: '    if (value.length > most) return `<text of ${value.length} characters left out>`;\n',
    replace: '',
  },
  {
    name: 'agent-text-with-controls',
    what: 'a text of the service reaches an agent with its control characters',
    file: ANSWER,
    find: 'return visible(wording.redact(isSentence ? wording.named(value) : value));',
    replace: 'return wording.redact(isSentence ? wording.named(value) : value);',
  },
  {
    name: 'agent-text-unmarked',
    what: 'a result for an agent does not say that it is data',
    file: ANSWER,
    find: "    structuredContent,\n    content: [{ type: 'text', text: `${DATA}\\n${JSON.stringify(structuredContent)}` }],",
    replace:
      "    structuredContent,\n    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],",
  },
  {
    name: 'agent-sees-secret',
    what: 'a result for an agent has the secret of the profile in it',
    file: ANSWER,
    find: 'return visible(wording.redact(isSentence ? wording.named(value) : value));',
    replace: 'return visible(isSentence ? wording.named(value) : value);',
  },
  {
    name: 'agent-on-current-profile',
    what: 'an agent gets the profile of the environment without -p',
    file: 'src/cli/commands/mcp/mcp.ts',
    find: "      if (profile === undefined) command.parent?.setOptionValue('sandbox', true);\n",
    replace: '',
  },
  {
    name: 'agent-creates-unasked',
    what: 'an agent can create on a live profile without --allow',
    file: 'src/cli/commands/mcp/serve.ts',
    find: "    ...(may('create') ? [CREATE_TOOL] : []),",
    replace: '    CREATE_TOOL,',
  },
  {
    name: 'agent-refunds-unasked',
    what: 'an agent can set a refund address on a live profile without --allow',
    file: 'src/cli/commands/mcp/serve.ts',
    find: "    ...(may('refund') ? [REFUND_TOOL] : []),",
    replace: '    REFUND_TOOL,',
  },
  {
    name: 'agent-without-policy',
    what: 'an agent creates on a live profile without a policy',
    file: CHANGING,
    find: '  run: bounded(createTool),',
    replace: '  run: createTool,',
  },
  {
    name: 'agent-refunds-without-policy',
    what: 'an agent sets a refund address on a live profile without a policy',
    file: CHANGING,
    find: '  run: bounded(refundTool),',
    replace: '  run: refundTool,',
  },
  {
    name: 'agent-shows-address',
    what: 'a created swap does not tell the agent to have its address compared',
    file: CREATE,
    find: '  return { ...swap, replayed, next };',
    replace: '  return { ...swap, replayed };',
  },
];
