export const BATCHES = [];
