export const TEXT = [];
