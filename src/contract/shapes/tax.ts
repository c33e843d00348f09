// The words of tax: kinds of customers, states of VAT numbers, categories, and syntaxes of e-invoices.

export const customerKinds = ['business', 'private'] as const;
export type CustomerKind = (typeof customerKinds)[number];

/** Only `valid` makes a number count. An unreachable register leaves a number unvalidated. */
export const validationStates = ['unchecked', 'valid', 'invalid', 'unreachable'] as const;
export type ValidationState = (typeof validationStates)[number];

/** What staff decided in place of the register and the rules. */
export const taxOverrides = ['none', 'valid', 'exempt'] as const;
export type TaxOverride = (typeof taxOverrides)[number];

/** UNCL 5305: S standard rate, AE reverse charge, G export, E exempt. */
export const taxCategories = ['S', 'AE', 'G', 'E'] as const;
export type TaxCategory = (typeof taxCategories)[number];

/** Syntaxes of an e-invoice: UBL for Peppol and for XRechnung, and the Cross Industry Invoice that Factur-X embeds. */
export const invoiceFormats = ['cii', 'peppol', 'xrechnung'] as const;
export type InvoiceFormat = (typeof invoiceFormats)[number];
/** Attached to the email of an invoice in addition to the PDF. */
export const invoiceAttachments = ['none', ...invoiceFormats] as const;
export type InvoiceAttachment = (typeof invoiceAttachments)[number];
