/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * PEM (RFC 7468): the DER of a key that is text, "-----BEGIN PRIVATE KEY-----" and so on.
 *
 * What comes of it is what lc_rsa_init_der() and lc_rsa_public_init_der() take:
 *   PRIVATE KEY, RSA PRIVATE KEY   a private key of RSA: PKCS #8 and PKCS #1
 *   PUBLIC KEY, RSA PUBLIC KEY     a public one: SubjectPublicKeyInfo and PKCS #1
 * The label isn't compared with what the DER is: whoever parses that looks at it.
 *
 * Strict: lines end with LF or CR LF; those of a block have characters of base64 and nothing else, any number of them but 0;
 * padding is there and bits that nothing needs are 0; the label is the same at both ends.  Between blocks there may be other text.
 *
 * Time depends on where lines and blocks begin and end, on what stands outside of blocks, on the length of the DER, and on whether
 * it's taken; not on anything else of a block's characters.
 * Secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_PEM_H
#define LANECRYPT_PEM_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * lc_pem_decode: the DER of a block.
 *
 * der: der_len bytes are written, which are never more than text_len / 4 * 3: so it may be the text's own place, or one of the same
 * length.  It's as secret as the text: wipe it after use.
 * label: that of the block, a string like "PRIVATE KEY", and then it's the first block that has it; or NULL for the first block.
 * text: text_len bytes; may be NULL if there are none.
 * Return:
 *   LC_OK
 *   LC_ERR_ENCRYPTED  the block that is asked for is encrypted, in the older form with a line "Proc-Type: 4,ENCRYPTED"; or there is
 *                     none, but one with a label like "ENCRYPTED PRIVATE KEY", or with label NULL the first one is such.  Nothing
 *                     here decrypts it.  Asked for by that label, its DER is given.
 *   LC_ERR_KEY        there is no such block, or it isn't as it should be
 */
LC_API LC_MUST_CHECK int lc_pem_decode(uint8_t *der, size_t *der_len, const char *label, const char *text, size_t text_len);

#ifdef __cplusplus
}
#endif
#endif
