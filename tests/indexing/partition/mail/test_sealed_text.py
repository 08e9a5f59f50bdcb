from indexing.partition.mail.sealed_text import without_sealed, without_signature

SEALED = "-----BEGIN PGP MESSAGE-----\nVersion: 1\n\nhQEMA\n=abc\n-----END PGP MESSAGE-----\n"


def test_what_is_encrypted_is_taken_out_of_the_text_around_it() -> None:
    assert without_sealed(f"Hello\n{SEALED}Best") == "Hello\nBest"


def test_an_encrypted_text_that_is_cut_off_is_taken_out() -> None:
    assert without_sealed("Hello\n" + SEALED[:50]) == "Hello\n"


def test_a_text_that_only_speaks_of_it_is_left_whole() -> None:
    text = "> -----BEGIN PGP MESSAGE-----\nis how it begins"

    assert without_sealed(text) == text


def test_a_signed_text_is_left_without_its_signature() -> None:
    begin, end = "-----BEGIN PGP SIGNED MESSAGE-----", "-----END PGP SIGNATURE-----"
    signature = f"-----BEGIN PGP SIGNATURE-----\n\niQEzBAEB\n=abc\n{end}\n"
    text = f"Hello\n{begin}\nHash: SHA256\n\nThe lamps\n- -- \nAnn\n{signature}Best"

    assert without_signature(text) == "Hello\nThe lamps\n-- \nAnn\nBest"
    assert without_signature(f"{signature}Best") == f"{signature}Best"
