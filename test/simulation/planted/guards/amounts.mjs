export const AMOUNTS = [];
