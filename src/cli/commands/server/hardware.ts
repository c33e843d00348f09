// hostyard server hardware: the parts of a device and its ports.
import { rateText } from '../../output/amounts.ts';
import { fieldsText } from '../../output/table.ts';
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string) => {
    const hardware = await client.deviceHardwareGet({ service: await serviceId(client, name) });
    const parts = Object.entries(hardware.parts).flatMap(([part, all]) => all.map((what) => [part, what] as const));
    const ports = Object.entries(hardware.ports).flatMap(([device, numbers]) =>
      Object.entries(numbers).map(([port, state]) => {
        const speed = rateText(Number(state.ifSpeed));
        return [`port ${device} ${port}`, `${state.ifAdminStatus} / ${state.ifOperStatus}, ${speed}`] as const;
      }),
    );
    await show.drawn(hardware, () => fieldsText([...parts, ...ports], show.palette));
  });
