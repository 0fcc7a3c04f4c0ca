export const EVENTS = [];
