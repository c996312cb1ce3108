import { computed } from "@preact/signals";
import { pages } from "../pages/index.ts";
import { page } from "../state/address.ts";

/** The page in the URL; the first one if there is no such page. */
export const currentPage = computed(() => pages.find(({ name }) => name === page.value) ?? pages[0]!);
