import { z } from "zod";
import { field } from "../schema/fields";
import * as text from "../schema/text";

/** Fields that accounts and customers share, declared once. */

export const description = field(text.freeText.optional(), { description: "Free text." });

export const timezone = field(text.timezone.optional(), {
  description: "IANA time zone in Region/City form, such as Europe/Amsterdam. The service never returns it.",
  writeOnly: true,
});

export const acceptCharges = field(z.boolean({ error: "must be true or false" }).optional(), {
  description:
    "Accepts what creating or changing this may cost. Without it the service refuses what is charged, and nothing is " +
    "done. Default: false. Setting it sends nothing by itself.",
  local: true,
});
