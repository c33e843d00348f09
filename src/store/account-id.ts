// The tenant's id, in a file that imports nothing, because nearly every other one needs it.

declare const accountBrand: unique symbol;
/** An account's id. Branded, so that a query that gets any other number, or forgets the account, does not compile. */
export type AccountId = number & { readonly [accountBrand]: true };
