export const RULES = [];
