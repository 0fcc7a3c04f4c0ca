export const ORDERS = [];
