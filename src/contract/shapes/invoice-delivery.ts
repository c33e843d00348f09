// The words of invoice delivery and of evidence where a customer is.

/** Content of the PDF: `automatic` embeds the e-invoice for countries that the provider chose. */
export const pdfForms = ['automatic', 'plain', 'facturx'] as const;
export type PdfForm = (typeof pdfForms)[number];

/** How invoices reach the customer: by email, or also through the e-invoicing network. */
export const deliveryWays = ['email', 'network'] as const;
export type DeliveryWay = (typeof deliveryWays)[number];

/** Syntaxes that the network carries. */
export const networkFormats = ['peppol', 'xrechnung'] as const;
export type NetworkFormat = (typeof networkFormats)[number];

/** `sent`: the access point has it. `delivered` and `rejected` are final. */
export const deliveryStates = ['queued', 'sent', 'delivered', 'rejected'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Where evidence comes from: the IP address of an order, a payment method, or staff. */
export const evidenceSources = ['order', 'payment', 'staff'] as const;
export type EvidenceSource = (typeof evidenceSources)[number];

/** `sufficient`: at least two pieces name the billing country. `unneeded`: not a private customer in the EU. */
export const evidenceStates = ['unneeded', 'sufficient', 'missing', 'conflict'] as const;
export type EvidenceState = (typeof evidenceStates)[number];
