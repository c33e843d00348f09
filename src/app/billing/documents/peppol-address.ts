// The address of a party in the Peppol network. Peppol knows no email addresses, but VAT numbers of most countries.
import { electronicAddress, type ElectronicAddress, type Party } from './invoice-document.ts';

/** Schemes of the EAS code list for VAT numbers, by the prefix of the number. */
const vatSchemes: Readonly<Record<string, string>> = {
  AT: '9914',
  BE: '9925',
  BG: '9926',
  CH: '9927',
  CY: '9928',
  CZ: '9929',
  DE: '9930',
  EE: '9931',
  EL: '9933',
  ES: '9920',
  FI: '0213',
  FR: '9957',
  GB: '9932',
  HR: '9934',
  HU: '9910',
  IE: '9935',
  IT: '0211',
  LT: '9937',
  LU: '9938',
  LV: '9939',
  MT: '9943',
  NL: '9944',
  PL: '9945',
  PT: '9946',
  RO: '9947',
  SI: '9949',
  SK: '9950',
};

/** Returns the endpoint, or the VAT number as one, as a list of at most one. */
export function peppolAddress(party: Party): ElectronicAddress[] {
  if (party.endpoint !== '') return electronicAddress(party);
  const scheme = vatSchemes[party.vatNumber.slice(0, 2)];
  return scheme === undefined ? [] : [{ scheme, id: party.vatNumber }];
}
