export const AGENTS = [];
