import type { AccessKind } from "../../../../src/features/access/wire.ts";
import type { Colour } from "../../charts/colours.ts";
import type { IconName } from "../../ui/icon.tsx";
import type { Tone } from "../../ui/status.tsx";

interface KindLook {
  readonly word: string;
  readonly icon: IconName;
  readonly tone: Tone;
  readonly colour: Colour;
}

/** The label, icon and colour of each kind. */
export const kindLooks: Readonly<Record<AccessKind, KindLook>> = {
  "sign-in": { word: "Signed in", icon: "good", tone: "good", colour: "teal" },
  "sign-in-failed": { word: "Sign-in failed", icon: "bad", tone: "warn", colour: "amber" },
  "lock-out": { word: "Locked out", icon: "lock", tone: "bad", colour: "red" },
  "access-refused": { word: "Access refused", icon: "idle", tone: "warn", colour: "violet" },
  "sign-out": { word: "Signed out", icon: "out", tone: "quiet", colour: "grey" },
  "session-revoked": { word: "Session revoked", icon: "stop", tone: "info", colour: "blue" },
  "superuser-added": { word: "Superuser added", icon: "person", tone: "info", colour: "blue" },
  "superuser-removed": { word: "Superuser removed", icon: "trash", tone: "warn", colour: "pink" },
  "password-changed": { word: "Password changed", icon: "key", tone: "info", colour: "blue" },
  "setup-link-used": { word: "Setup link used", icon: "link", tone: "info", colour: "blue" },
};

export const kinds = Object.keys(kindLooks) as AccessKind[];

export const failureKinds: readonly AccessKind[] = ["sign-in-failed", "lock-out", "access-refused"];
