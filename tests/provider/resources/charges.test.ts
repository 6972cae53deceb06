import { chargesAccepted } from "../../../provider/resources/charges";

describe("the charge gate", () => {
  it("opens for true", () => {
    expect(chargesAccepted({ acceptCharges: true })).toBe(true);
  });

  it.each([false, undefined, null, "true", "yes", 1, {}, [], "04da6b54-80e4-46f7-96ec-b56ff0331ba9"])(
    "stays closed for %j",
    (acceptCharges) => {
      expect(chargesAccepted({ acceptCharges })).toBe(false);
    },
  );

  it("stays closed when nothing is said", () => {
    expect(chargesAccepted({})).toBe(false);
  });
});
