// A staff member's own passkeys: the card of customers, on the API of staff, whose operations and answers are the same.
import type { JSX } from 'react';
import { PasskeysCard } from '../../customer/security/passkeys.tsx';
import { DeviceApiProvider, type DeviceApi } from '../../data/operations.ts';
import { staffApi } from '../../data/session.ts';

const ofStaff: DeviceApi = { portal: 'staff', client: staffApi as unknown as DeviceApi['client'] };

export function OwnPasskeys(): JSX.Element {
  return (
    <DeviceApiProvider value={ofStaff}>
      <PasskeysCard reason={undefined} />
    </DeviceApiProvider>
  );
}
