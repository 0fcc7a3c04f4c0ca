export const FOLLOWING = [];
