// VIES, the European Commission's register of VAT numbers, by its REST API. It asks the register of the member state, of
// which some are down every night; its errors arrive with status 200 as well.
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { readLimited } from '#lib/read-limited.ts';
import { RegisterError, type VatAnswer, type VatRegister } from './driver.ts';

const timeoutMs = 20_000;
const maxResponseBytes = 65_536;
const maxTextLength = 500;

const text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Answer = Type.Object({
  valid: Type.Boolean(),
  countryCode: Type.String(),
  vatNumber: Type.String(),
  requestIdentifier: text,
  name: text,
  address: text,
});
const Refusal = Type.Object({ errorWrappers: Type.Array(Type.Object({ error: Type.String() }), { minItems: 1 }) });

export function createViesRegister(url: string): VatRegister {
  return {
    async check(number, requester, signal) {
      const body = JSON.stringify({
        countryCode: number.slice(0, 2),
        vatNumber: number.slice(2),
        ...(requester !== '' && {
          requesterMemberStateCode: requester.slice(0, 2),
          requesterNumber: requester.slice(2),
        }),
      });
      return parseAnswer(number, await post(`${url}/check-vat-number`, body, signal));
    },
  };
}

async function post(url: string, body: string, signal: AbortSignal): Promise<unknown> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: limit });
    return JSON.parse((await readLimited(response.body, maxResponseBytes)).toString()) as unknown;
  } catch (error) {
    throw new RegisterError(`VIES did not answer: ${(error as Error).message}`, { cause: error });
  }
}

function parseAnswer(number: string, answer: unknown): VatAnswer {
  if (Value.Check(Refusal, answer)) throw new RegisterError(`VIES refused: ${answer.errorWrappers[0]!.error}`);
  if (!Value.Check(Answer, answer)) throw new RegisterError('VIES answered something unknown');
  // A confirmation counts only for the number that was asked for.
  if (`${answer.countryCode}${answer.vatNumber}` !== number)
    throw new RegisterError('VIES answered for another number');
  return {
    isValid: answer.valid,
    consultation: textOf(answer.requestIdentifier),
    name: textOf(answer.name),
    address: textOf(answer.address),
  };
}

/** Member states that do not disclose something write dashes. */
function textOf(value: string | null | undefined): string {
  const line = (value ?? '').trim();
  return /^-+$/.test(line) ? '' : line.slice(0, maxTextLength);
}
