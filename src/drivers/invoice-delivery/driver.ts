// An access point of an e-invoicing network, such as Peppol: it takes documents and reports what became of them.

export interface NetworkAddress {
  /** Of the EAS code list. */
  readonly scheme: string;
  readonly id: string;
}

export interface NetworkDocument {
  /** Sending the same identifier again has no further effect. */
  readonly id: string;
  readonly sender: NetworkAddress;
  readonly receiver: NetworkAddress;
  /** Identifiers of the network for the kind of document and the business process. */
  readonly documentType: string;
  readonly process: string;
  readonly xml: Uint8Array;
}

export interface DeliveryReport {
  /** `accepted`: the access point has it, and has not delivered it yet. */
  readonly status: 'accepted' | 'delivered' | 'rejected';
  /** The access point's own name of the document; may be empty. */
  readonly reference: string;
  /** Why it was rejected; empty otherwise. */
  readonly reason: string;
}

/** The access point did not say what became of the document: it is down, busy, or its answer makes no sense. */
export class AccessPointError extends Error {
  override readonly name = 'AccessPointError';
}

export interface AccessPoint {
  /** Throws AccessPointError if there is no answer. The document may have arrived all the same. */
  send(document: NetworkDocument, signal: AbortSignal): Promise<DeliveryReport>;
  /** Returns undefined if the access point does not know the document. */
  reportOn(id: string, signal: AbortSignal): Promise<DeliveryReport | undefined>;
}
