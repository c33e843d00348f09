// A register that confirms VAT numbers.

export interface VatAnswer {
  readonly isValid: boolean;
  /** The number under which the register knows this consultation; empty if it gives none. */
  readonly consultation: string;
  /** As the register has them; empty if it does not say. */
  readonly name: string;
  readonly address: string;
}

/** The register did not answer the question: it is down, busy, or its answer makes no sense. */
export class RegisterError extends Error {
  override readonly name = 'RegisterError';
}

export interface VatRegister {
  /**
   * Both numbers have their country prefix; the requester, who is entitled to a consultation number, may be empty.
   * Throws RegisterError if there is no answer.
   */
  check(number: string, requester: string, signal: AbortSignal): Promise<VatAnswer>;
}
