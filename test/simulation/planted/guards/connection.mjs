export const CONNECTION = [];
