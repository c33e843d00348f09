// A name server's zones without a database.
import type { ZoneContent } from '#drivers/dns/driver.ts';
import { ZoneImage } from '#drivers/dns/builtin/image/image.ts';
import type { ZoneSigning } from '#drivers/dns/builtin/sign-set.ts';
import { type ImageSource, imageSource } from '#drivers/dns/builtin/image/image-source.ts';

export class MemorySource implements ImageSource {
  readonly image = new ZoneImage();
  #serial = 1;
  readonly #source = imageSource(this.image, () => this.#serial);
  readonly findZone = this.#source.findZone;
  readonly nodesAt = this.#source.nodesAt;
  readonly nodesTo = this.#source.nodesTo;
  readonly wholeZone = this.#source.wholeZone;
  readonly signing = this.#source.signing;
  readonly zones = this.#source.zones;
  readonly zonesSerial = this.#source.zonesSerial;

  put({ name, rrsets }: ZoneContent, signing?: ZoneSigning): void {
    const existing = this.image.zoneNamed(name);
    if (!existing) this.#serial++;
    const zone = this.image.createZone(existing?.id ?? this.#serial, name);
    for (const { rdata, ...set } of rrsets)
      for (const data of rdata) this.image.addRecord(zone, { ...set, rdata: data });
    zone.signing = signing;
    this.image.publish(zone);
  }

  delete(name: string): void {
    const zone = this.image.zoneNamed(name);
    if (!zone) return;
    this.image.removeZone(zone);
    this.#serial++;
  }
}
