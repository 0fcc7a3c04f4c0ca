export const RESPONSES = [];
