// Who somebody is and where to be reached: of a contact, and of a customer.
import { TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { Fields } from './fields.ts';

interface Known {
  readonly firstname: string;
  readonly lastname: string;
  readonly companyname: string;
  readonly email: string;
  readonly phonenumber: string;
  readonly address1: string;
  readonly address2: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
}

/** What stands in the fields at first, but for the postal code, which the two interfaces call by other names. */
export function personOf(known: Known | undefined) {
  return {
    firstname: known?.firstname ?? '',
    lastname: known?.lastname ?? '',
    company: known?.companyname ?? '',
    email: known?.email ?? '',
    phone: known?.phonenumber ?? '',
    address1: known?.address1 ?? '',
    address2: known?.address2 ?? '',
    city: known?.city ?? '',
    state: known?.state ?? '',
    country: known?.country ?? '',
  };
}

export interface PersonFieldsProps<Postcode extends string> {
  readonly fields: Pick<Fields<ReturnType<typeof personOf> & Record<Postcode, string>>, 'input'>;
  readonly postcode: Postcode;
}

/** In a grid of the caller's. */
export function PersonFields<Postcode extends string>({ fields, postcode }: PersonFieldsProps<Postcode>): JSX.Element {
  const { input } = fields;
  return (
    <>
      <TextInput label="First name" required data-autofocus {...input('firstname')} />
      <TextInput label="Last name" required {...input('lastname')} />
      <TextInput label="Email" type="email" required {...input('email')} />
      <TextInput label="Phone" type="tel" {...input('phone')} />
      <TextInput label="Company" {...input('company')} />
      <TextInput label="Address" required {...input('address1')} />
      <TextInput label="Address, second line" {...input('address2')} />
      <TextInput label="Postal code" required {...input(postcode)} />
      <TextInput label="City" required {...input('city')} />
      <TextInput label="State or province" required {...input('state')} />
      <TextInput label="Country" required maxLength={2} placeholder="Two letters, such as NL" {...input('country')} />
    </>
  );
}
